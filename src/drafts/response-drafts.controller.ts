import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { ApiPage, UpdatedPageQuery, type Page } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { notFound } from '#http/problems/problem.js';
import { ConversationQueries } from '../conversations/conversations.contract.js';
import { DeleteDraft } from './delete-draft.js';
import { DraftLookup } from './draft-lookup.js';
import { Versioned } from '#http/versions/versioned.js';
import {
  ResponseDraftResponse,
  SavedResponseDraftResponse,
  SaveResponseDraftBody,
  SendDraftBody,
} from './drafts.dto.js';
import { DraftQueries } from './drafts.queries.js';
import { SaveResponseDraft } from './save-response-draft.js';
import { SendDraft } from './send-draft.js';
import { savedResponse, shownResponse } from './shown-draft.js';
import { UnscheduleDraft } from './unschedule-draft.js';

@ApiTags('Response drafts')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/conversations/:conversation_id/response-drafts')
export class ResponseDraftsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: DraftQueries,
    private readonly lookup: DraftLookup,
    private readonly conversations: ConversationQueries,
  ) {}

  /**
   * Save the reply to a conversation, or overwrite the pending one.
   *
   * With autosend_draft it is queued for delivery, and leaves at once or at `send_at`. It leaves on the channel of the latest inbound message,
   * e-mail threaded under it, and becomes a `sent` message of the conversation.
   */
  @Post()
  @Versioned({ ifMatch: true })
  @ApiProblems(403)
  @ApiCreatedResponse({ type: SavedResponseDraftResponse })
  @ApiOkResponse({ type: SavedResponseDraftResponse, description: 'The pending draft was overwritten.' })
  async save(
    @Param('conversation_id') conversationId: string,
    @Ctx() context: Context,
    @Body() body: SaveResponseDraftBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SavedResponseDraftResponse> {
    const { draft, created } = await this.commands.execute(
      new SaveResponseDraft(context, conversationId, body),
    );
    void reply.status(created ? 201 : 200);
    return draft;
  }

  /** List the pending response draft of a conversation, if any. */
  @Get()
  @ApiPage(ResponseDraftResponse)
  async list(
    @OrganizationId() organizationId: string,
    @Param('conversation_id') conversationId: string,
    @Query() query: UpdatedPageQuery,
  ): Promise<Page<ResponseDraftResponse>> {
    if (!isId('conv', conversationId)) throw notFound('conversation', conversationId);
    const page = await this.queries.listOfConversation(organizationId, conversationId, query);
    if (page.data.length === 0) await this.conversations.existing(organizationId, conversationId);
    return { ...page, data: page.data.map(shownResponse) };
  }

  /** Show one response draft. Once it is sent, 404 with a hint to the message it became. */
  @Get(':response_id')
  @Versioned()
  async get(
    @OrganizationId() organizationId: string,
    @Param('conversation_id') conversationId: string,
    @Param('response_id') draftId: string,
  ): Promise<ResponseDraftResponse> {
    return shownResponse(await this.lookup.pending({ organizationId, conversationId, draftId }));
  }

  /** Send a saved draft after review. Sending one that is queued already changes nothing and answers the same. */
  @Post(':response_id/send')
  @ApiBody({ type: SendDraftBody, required: false })
  @Versioned()
  @HttpCode(200)
  @ApiProblems(403)
  async send(
    @Param('conversation_id') conversationId: string,
    @Param('response_id') responseId: string,
    @Ctx() context: Context,
    @Body() body: SendDraftBody,
  ): Promise<SavedResponseDraftResponse> {
    const sending = new SendDraft(context, conversationId, responseId, body);
    return savedResponse(await this.commands.execute(sending));
  }

  /** Save a queued draft for review again. One that is saved already is left as it is. 409 once it is being sent. */
  @Post(':response_id/unschedule')
  @Versioned()
  @HttpCode(200)
  @ApiProblems(403, 409)
  async unschedule(
    @Param('conversation_id') conversationId: string,
    @Param('response_id') responseId: string,
    @Ctx() context: Context,
  ): Promise<SavedResponseDraftResponse> {
    const unscheduling = new UnscheduleDraft(context, conversationId, responseId);
    return savedResponse(await this.commands.execute(unscheduling));
  }

  /** Delete a draft, queued ones included. 400 while it is being sent. */
  @Delete(':response_id')
  @HttpCode(204)
  @ApiProblems(403)
  remove(
    @Param('conversation_id') conversationId: string,
    @Param('response_id') responseId: string,
    @Ctx() context: Context,
  ): Promise<void> {
    return this.commands.execute(new DeleteDraft(context, conversationId, responseId));
  }
}
