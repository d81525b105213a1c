import { Body, Controller, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ApiRequest } from '#http/access/caller.js';
import { Spooled } from '#http/input/spool.js';
import { readInput } from '#http/input/input.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Problem } from '#http/problems/problem.js';
import { Directory } from '../../workspace/workspace.contract.js';
import { messageOfCall } from './call-message.js';
import { MessageResponse } from '../conversations.dto.js';
import { InboundMessages } from './inbound-messages.js';
import { CallBody, HookQuery, LiveChatBody, NoMessageResponse } from './inbound.dto.js';
import { messageOfChat } from './chat-message.js';
import { MailReceiver } from './mail-receiver.js';
import { NoTurn } from './reading-room.js';
import { MailTimedOut, MailTooLarge, MailUnreadable } from '#mail/mail-parser.js';

@ApiTags('Inbound')
@ApiSecurity('hook-token')
@ApiCreatedResponse({ type: MessageResponse })
@ApiOkResponse({ type: MessageResponse, description: 'It was recorded before.' })
@ApiProblems(400, 401, 404)
@Controller('hooks/v1/channels/:channel_id')
export class HooksController {
  constructor(
    private readonly inbound: InboundMessages,
    private readonly directory: Directory,
    private readonly mail: MailReceiver,
  ) {}

  /** Push a raw e-mail in, as it came off the wire, under any Content-Type. The URL with its token is on the e-mail channel. */
  @Post('email')
  @HttpCode(201)
  @ApiConsumes('message/rfc822', 'application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiAcceptedResponse({ type: NoMessageResponse, description: 'It makes no message.' })
  async email(
    @Param('channel_id') channelId: string,
    @Query() _query: HookQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() raw: unknown,
  ): Promise<MessageResponse | NoMessageResponse> {
    const context = this.inbound.open(request, channelId, 'email');
    if (!(raw instanceof Spooled) || raw.size === 0)
      throw new Problem(400, 'validation_failed', 'body: must be a mail, and is empty');
    const received = await this.mail.receive(context, raw).catch(refused);
    if (received.kind !== 'message') {
      void reply.status(202);
      const { bounce_id, message_id } = received.kind === 'bounce' ? received : NO_BOUNCE;
      return { status: received.kind, bounce_id, message_id };
    }
    void reply.status(received.created ? 201 : 200);
    return received.message;
  }

  /** Push a call in that has ended. The URL with its token is on the text channel. */
  @Post('call')
  @HttpCode(201)
  @ApiBody({ type: CallBody })
  async call(
    @Param('channel_id') channelId: string,
    @Query() _query: HookQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<MessageResponse> {
    const context = this.inbound.open(request, channelId, 'text');
    const call = readInput(CallBody, body);
    await this.directory.requireAgent(context.organizationId, call.agent_id);
    const { message, created } = await this.inbound.record(context, messageOfCall(call));
    void reply.status(created ? 201 : 200);
    return message;
  }

  /** Push a message of a live chat's visitor in. The URL with its token is on the live_chat channel. */
  @Post('live-chat')
  @HttpCode(201)
  @ApiBody({ type: LiveChatBody })
  async liveChat(
    @Param('channel_id') channelId: string,
    @Query() _query: HookQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<MessageResponse> {
    const context = this.inbound.open(request, channelId, 'live_chat');
    const chat = readInput(LiveChatBody, body);
    const { message, created } = await this.inbound.record(context, messageOfChat(chat));
    void reply.status(created ? 201 : 200);
    return message;
  }
}

const NO_BOUNCE = { bounce_id: null, message_id: null };

function refused(error: unknown): never {
  if (error instanceof MailTooLarge) throw new Problem(413, 'body_too_large', error.message);
  if (error instanceof MailUnreadable) throw new Problem(400, 'validation_failed', `body: ${error.message}`);
  if (error instanceof MailTimedOut || error instanceof NoTurn)
    throw new Problem(503, 'unavailable', 'The mail could not be read in time. Send it again.', {
      headers: { 'Retry-After': '60' },
    });
  throw error;
}
