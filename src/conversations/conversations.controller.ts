import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { actingAgent, type Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { ApiPage, DatedPageQuery, type Page, UpdatedPageQuery } from '#http/paging/page.dto.js';
import { Expandable } from '#http/expansion/expandable.js';
import { notFound } from '#http/problems/problem.js';
import { Versioned } from '#http/versions/versioned.js';
import { ChangeTags, ChangeTagsBody } from '../tags/tags.contract.js';
import { CrmQueries } from '../crm/crm.contract.js';
import { Directory } from '../workspace/workspace.contract.js';
import {
  ConversationResponse,
  MessageResponse,
  TrackedLinkListResponse,
  TrackedLinkResponse,
  UpdateConversationBody,
  MergeConversationBody,
} from './conversations.dto.js';
import { RecordMessageBody } from './recording/record-message.dto.js';
import { ListConversationsQuery } from './list-conversations.dto.js';
import { ConversationQueries } from './conversations.queries.js';
import { CONVERSATION_EXPANSIONS, MESSAGE_EXPANSIONS } from './message-records.js';
import { messageOfBody } from './recording/message-of-body.js';
import { RecordMessage } from './recording/record-message.js';
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
    return this.queries.list(organizationId, { ...query, agent_id: agentId });
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

  /** List the messages of a conversation, the latest first. */
  @Get('conversations/:conversation_id/messages')
  @Expandable(MESSAGE_EXPANSIONS)
  @ApiTags('Messages')
  @ApiPage(MessageResponse)
  async listMessages(
    @OrganizationId() organizationId: string,
    @Param('conversation_id') conversationId: string,
    @Query() query: DatedPageQuery,
  ): Promise<Page<MessageResponse>> {
    if (!isId('conv', conversationId)) throw notFound('conversation', conversationId);
    const page = await this.queries.listMessages(organizationId, conversationId, query);
    if (page.data.length === 0) await this.queries.existing(organizationId, conversationId);
    return page;
  }

  /** Show one message. */
  @Get('conversations/:conversation_id/messages/:message_id')
  @Expandable(MESSAGE_EXPANSIONS)
  @ApiTags('Messages')
  getMessage(
    @OrganizationId() organizationId: string,
    @Param('conversation_id') conversationId: string,
    @Param('message_id') messageId: string,
  ): Promise<MessageResponse> {
    return this.queries.existingMessage(organizationId, conversationId, messageId);
  }

  /** List the tracked links of a message. */
  @Get('conversations/:conversation_id/messages/:message_id/tracked-links')
  @ApiTags('Messages')
  async listLinks(
    @OrganizationId() organizationId: string,
    @Param('conversation_id') conversationId: string,
    @Param('message_id') messageId: string,
  ): Promise<TrackedLinkListResponse> {
    const { tracked_links } = await this.queries.existingMessage(organizationId, conversationId, messageId);
    return { data: tracked_links };
  }

  /** Show one tracked link of a message. */
  @Get('conversations/:conversation_id/messages/:message_id/tracked-links/:link_id')
  @ApiTags('Messages')
  async getLink(
    @OrganizationId() organizationId: string,
    @Param('conversation_id') conversationId: string,
    @Param('message_id') messageId: string,
    @Param('link_id') linkId: string,
  ): Promise<TrackedLinkResponse> {
    const { tracked_links } = await this.queries.existingMessage(organizationId, conversationId, messageId);
    const link = tracked_links.find(({ link_id }) => link_id === linkId);
    if (!link) throw notFound('tracked_link', linkId);
    return link;
  }

  /**
   * Record a message that happened on any channel.
   *
   * The contact is matched by e-mail address or phone number, or created; the conversation is the given one, else the
   * one of the e-mail thread, else the contact's latest on the same channel within 30 days, else a new one.
   * A repeat of an `external_id`, or without one of an e-mail's Message-ID, answers 200 with the message recorded before and
   * changes nothing.
   */
  @Post('messages')
  @ApiTags('Messages')
  @ApiProblems(403)
  @ApiCreatedResponse({ type: MessageResponse })
  @ApiOkResponse({ type: MessageResponse, description: 'It was recorded before.' })
  async record(
    @OrganizationId() organizationId: string,
    @Ctx() context: Context,
    @Body() body: RecordMessageBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MessageResponse> {
    await this.directory.requireAgent(organizationId, body.agent_id);
    const { message, created } = await this.commands.execute(
      new RecordMessage(context, messageOfBody(body, actingAgent(context))),
    );
    void reply.status(created ? 201 : 200);
    return message;
  }
}
