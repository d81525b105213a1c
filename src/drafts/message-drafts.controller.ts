import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { ApiPage, type Page } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Versioned } from '#http/versions/versioned.js';
import { CreateMessageDraft } from './create-message-draft.js';
import { DeleteDraft } from './delete-draft.js';
import { DraftLookup } from './draft-lookup.js';
import {
  CreateMessageDraftBody,
  MessageDraftResponse,
  SavedMessageDraftResponse,
  SendDraftBody,
} from './drafts.dto.js';
import { DraftQueries } from './drafts.queries.js';
import { ListDraftsQuery } from './list-drafts.dto.js';
import { SendDraft } from './send-draft.js';
import { savedMessage, shownMessage } from './shown-draft.js';
import { UnscheduleDraft } from './unschedule-draft.js';

@ApiTags('Message drafts')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/message-drafts')
export class MessageDraftsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: DraftQueries,
    private readonly lookup: DraftLookup,
  ) {}

  /**
   * Draft a first message to somebody.
   *
   * With autosend_draft it is queued for delivery, and leaves at once or at `send_at`. It opens a conversation with the contact who has its
   * address, or with a new one. To follow up on a conversation, use response drafts.
   */
  @Post()
  @Versioned()
  @ApiProblems(403)
  create(@Ctx() context: Context, @Body() body: CreateMessageDraftBody): Promise<SavedMessageDraftResponse> {
    return this.commands.execute(new CreateMessageDraft(context, body));
  }

  /** List the message drafts that are not sent yet, newest first, or in the order in which they leave. */
  @Get()
  @ApiPage(MessageDraftResponse)
  async list(
    @OrganizationId() organizationId: string,
    @Query() query: ListDraftsQuery,
  ): Promise<Page<MessageDraftResponse>> {
    const page = await this.queries.listMessageDrafts(organizationId, query);
    return { ...page, data: page.data.map(shownMessage) };
  }

  /** Show one message draft. Once it is sent, 404 with a hint to the conversation it opened. */
  @Get(':draft_id')
  @Versioned()
  async get(
    @OrganizationId() organizationId: string,
    @Param('draft_id') draftId: string,
  ): Promise<MessageDraftResponse> {
    return shownMessage(await this.lookup.pending({ organizationId, conversationId: null, draftId }));
  }

  /** Send a saved draft after review. Sending one that is queued already changes nothing and answers the same. */
  @Post(':draft_id/send')
  @ApiBody({ type: SendDraftBody, required: false })
  @Versioned()
  @HttpCode(200)
  @ApiProblems(403)
  async send(
    @Param('draft_id') draftId: string,
    @Ctx() context: Context,
    @Body() body: SendDraftBody,
  ): Promise<SavedMessageDraftResponse> {
    return savedMessage(await this.commands.execute(new SendDraft(context, null, draftId, body)));
  }

  /** Save a queued draft for review again. One that is saved already is left as it is. 409 once it is being sent. */
  @Post(':draft_id/unschedule')
  @Versioned()
  @HttpCode(200)
  @ApiProblems(403, 409)
  async unschedule(
    @Param('draft_id') draftId: string,
    @Ctx() context: Context,
  ): Promise<SavedMessageDraftResponse> {
    return savedMessage(await this.commands.execute(new UnscheduleDraft(context, null, draftId)));
  }

  /** Delete a draft, queued ones included. 400 while it is being sent. */
  @Delete(':draft_id')
  @HttpCode(204)
  @ApiProblems(403)
  remove(@Param('draft_id') draftId: string, @Ctx() context: Context): Promise<void> {
    return this.commands.execute(new DeleteDraft(context, null, draftId));
  }
}
