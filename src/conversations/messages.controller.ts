import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { actingAgent, type Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { ApiPage, DatedPageQuery, type Page } from '#http/paging/page.dto.js';
import { Expandable } from '#http/expansion/expandable.js';
import { notFound } from '#http/problems/problem.js';
import { Directory } from '../workspace/workspace.contract.js';
import { MessageResponse, TrackedLinkListResponse, TrackedLinkResponse } from './conversations.dto.js';
import { RecordMessageBody } from './recording/record-message.dto.js';
import { ConversationQueries } from './conversations.queries.js';
import { MESSAGE_EXPANSIONS } from './message-records.js';
import { MessageQueries } from './messages.queries.js';
import { messageOfBody } from './recording/message-of-body.js';
import { RecordMessage } from './recording/record-batch.js';

@ApiTags('Messages')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id')
export class MessagesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: MessageQueries,
    private readonly conversations: ConversationQueries,
    private readonly directory: Directory,
  ) {}

  /** List the messages of a conversation, the latest first. */
  @Get('conversations/:conversation_id/messages')
  @Expandable(MESSAGE_EXPANSIONS)
  @ApiPage(MessageResponse)
  async listMessages(
    @OrganizationId() organizationId: string,
    @Param('conversation_id') conversationId: string,
    @Query() query: DatedPageQuery,
  ): Promise<Page<MessageResponse>> {
    if (!isId('conv', conversationId)) throw notFound('conversation', conversationId);
    const page = await this.queries.listMessages(organizationId, conversationId, query);
    if (page.data.length === 0) await this.conversations.existing(organizationId, conversationId);
    return page;
  }

  /** Show one message. */
  @Get('conversations/:conversation_id/messages/:message_id')
  @Expandable(MESSAGE_EXPANSIONS)
  getMessage(
    @OrganizationId() organizationId: string,
    @Param('conversation_id') conversationId: string,
    @Param('message_id') messageId: string,
  ): Promise<MessageResponse> {
    return this.queries.existingMessage(organizationId, conversationId, messageId);
  }

  /** List the tracked links of a message. */
  @Get('conversations/:conversation_id/messages/:message_id/tracked-links')
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
      new RecordMessage(context, await messageOfBody(body, actingAgent(context))),
    );
    void reply.status(created ? 201 : 200);
    return message;
  }
}
