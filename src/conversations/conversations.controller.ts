import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { type Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { ApiPage, type Page, UpdatedPageQuery } from '#http/paging/page.dto.js';
import { Expandable } from '#http/expansion/expandable.js';
import { notFound } from '#http/problems/problem.js';
import { Versioned } from '#http/versions/versioned.js';
import { ChangeTags, ChangeTagsBody } from '../tags/tags.contract.js';
import { CrmQueries } from '../crm/crm.contract.js';
import { Directory } from '../workspace/workspace.contract.js';
import { ConversationResponse, UpdateConversationBody, MergeConversationBody } from './conversations.dto.js';
import { ListConversationsQuery } from './list-conversations.dto.js';
import { ConversationQueries } from './conversations.queries.js';
import { CONVERSATION_EXPANSIONS } from './message-records.js';
import { UpdateConversation } from './update-conversation.js';
import { ChangeConversations } from './bulk/change-conversations.js';
import { ChangeConversationsBody, ChangedConversationsResponse } from './bulk/change-conversations.dto.js';
import { MergeConversation } from './merge-conversation.js';

@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id')
export class ConversationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: ConversationQueries,
    private readonly crm: CrmQueries,
    private readonly directory: Directory,
  ) {}

  /** List conversations, the latest activity first, or in another order. */
  @Get('conversations')
  @Expandable(CONVERSATION_EXPANSIONS)
  @ApiTags('Conversations')
  @ApiPage(ConversationResponse)
  list(
    @OrganizationId() organizationId: string,
    @Query() query: ListConversationsQuery,
  ): Promise<Page<ConversationResponse>> {
    return this.queries.list(organizationId, query);
  }

  /** List the conversations with a contact, and those of others that the contact wrote in, the latest activity first. */
  @Get('contacts/:contact_id/conversations')
  @Expandable(CONVERSATION_EXPANSIONS)
  @ApiTags('Conversations')
  @ApiPage(ConversationResponse)
  async listOfContact(
    @OrganizationId() organizationId: string,
    @Param('contact_id') contactId: string,
    @Query() query: UpdatedPageQuery,
  ): Promise<Page<ConversationResponse>> {
    if (!isId('contact', contactId)) throw notFound('contact', contactId);
    const page = await this.queries.listOfContact(organizationId, contactId, query);
    if (page.data.length === 0 && !(await this.crm.contact(organizationId, contactId)))
      throw await this.crm.missing(organizationId, 'contact', contactId);
    return page;
  }

  /** List the conversations that an agent owns, the latest activity first. */
  @Get('agents/:agent_id/conversations')
  @Expandable(CONVERSATION_EXPANSIONS)
  @ApiTags('Conversations')
  @ApiPage(ConversationResponse)
  async listOfAgent(
    @OrganizationId() organizationId: string,
    @Param('agent_id') agentId: string,
    @Query() query: UpdatedPageQuery,
  ): Promise<Page<ConversationResponse>> {
    await this.directory.existingAgent(organizationId, agentId);
    return this.queries.listOfAgent(organizationId, agentId, query);
  }

  /** Show one conversation. */
  @Get('conversations/:conversation_id')
  @Expandable(CONVERSATION_EXPANSIONS)
  @ApiTags('Conversations')
  @Versioned()
  get(
    @OrganizationId() organizationId: string,
    @Param('conversation_id') conversationId: string,
  ): Promise<ConversationResponse> {
    return this.queries.existing(organizationId, conversationId);
  }

  /**
   * Mark a conversation read or unread, file it, give it an owner, snooze, close or open it.
   *
   * A snoozed conversation is open again once `snoozed_until` has come. A message of the contact opens a snoozed or closed one if it is
   * its latest; automatic replies do not.
   */
  @Patch('conversations/:conversation_id')
  @ApiTags('Conversations')
  @Versioned()
  @ApiProblems(403, 409)
  triage(
    @Param('conversation_id') conversationId: string,
    @Ctx() context: Context,
    @Body() body: UpdateConversationBody,
  ): Promise<ConversationResponse> {
    return this.commands.execute(new UpdateConversation(context, conversationId, { ...body }));
  }

  /**
   * Change up to 200 conversations in the same way, each decided alone.
   *
   * One that is not there, or cannot be changed so, is its own `problem`; changes that are wrong for each of them are a 400 of the
   * whole.
   */
  @Post('conversations/bulk')
  @ApiTags('Conversations')
  @HttpCode(200)
  @ApiProblems(403)
  changeMany(
    @Ctx() context: Context,
    @Req() request: FastifyRequest,
    @Body() body: ChangeConversationsBody,
  ): Promise<ChangedConversationsResponse> {
    return this.commands.execute(new ChangeConversations(context, request.url, body));
  }

  /**
   * Merge another conversation into this one, which has its messages, sales and pending reply from then on.
   *
   * The other one's id answers 404 `merged` from then on, with a hint to this one. 409 where both have a pending reply.
   */
  @Post('conversations/:conversation_id/merge')
  @ApiTags('Conversations')
  @HttpCode(200)
  @Versioned({ ifMatch: true })
  @ApiProblems(403, 409)
  merge(
    @Param('conversation_id') conversationId: string,
    @Ctx() context: Context,
    @Body() { from_conversation_id }: MergeConversationBody,
  ): Promise<ConversationResponse> {
    return this.commands.execute(new MergeConversation(context, conversationId, from_conversation_id));
  }

  /** Give a conversation tags, and take others away. What it has already, or has not, changes nothing: two who tag at once lose nothing. */
  @Post('conversations/:conversation_id/tags')
  @ApiTags('Conversations')
  @HttpCode(200)
  @Versioned({ ifMatch: true })
  @ApiProblems(403, 409)
  async tag(
    @Param('conversation_id') conversationId: string,
    @Ctx() context: Context,
    @Body() body: ChangeTagsBody,
  ): Promise<ConversationResponse> {
    await this.commands.execute(new ChangeTags(context, 'conversation', conversationId, body));
    return this.queries.existing(context.organizationId, conversationId);
  }
}
