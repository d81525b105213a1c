import { Body, Controller, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { contextOf, type ParleyRequest } from '#http/caller.js';
import { ApiProblems } from '#http/problem.dto.js';
import { Problem } from '#http/problem.js';
import { Channels } from '../workspace/workspace.contract.js';
import { HookQuery, MessageResponse, NoMessageResponse } from './conversations.dto.js';
import { MailDoor } from './mail.door.js';
import { MailTooLarge, MailUnreadable } from './mail-parser.js';

@ApiTags('Inbound')
@Controller('hooks/v1/channels/:channel_id')
export class HooksController {
  constructor(
    private readonly channels: Channels,
    private readonly mail: MailDoor,
  ) {}

  /** Push a raw e-mail in, as it came off the wire. The URL with its token is on the e-mail channel. */
  @Post('email')
  @HttpCode(201)
  @ApiConsumes('message/rfc822')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiCreatedResponse({ type: MessageResponse })
  @ApiOkResponse({ type: MessageResponse, description: 'It was recorded before.' })
  @ApiAcceptedResponse({ type: NoMessageResponse, description: 'It is a bounce and makes no message.' })
  @ApiProblems(400, 401, 413, 415)
  async email(
    @Param('channel_id') channelId: string,
    @Query() query: HookQuery,
    @Req() request: ParleyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() raw: unknown,
  ): Promise<MessageResponse | NoMessageResponse> {
    const organizationId = await this.channels.organizationOfHook(channelId, 'email', query.token);
    if (!Buffer.isBuffer(raw))
      throw new Problem(415, 'unsupported_media_type', 'Send the mail as message/rfc822.');
    const context = { ...contextOf(request, { type: 'provider', id: channelId }), organizationId };
    const received = await this.mail.receive(context, raw).catch(refused);
    if (received.kind === 'bounce') {
      void reply.status(202);
      return { status: 'bounce', bounce_id: received.bounce_id, message_id: received.message_id };
    }
    void reply.status(received.created ? 201 : 200);
    return received.message;
  }
}

function refused(error: unknown): never {
  if (error instanceof MailTooLarge) throw new Problem(413, 'body_too_large', error.message);
  if (error instanceof MailUnreadable) throw new Problem(400, 'validation_failed', `body: ${error.message}`);
  throw error;
}
