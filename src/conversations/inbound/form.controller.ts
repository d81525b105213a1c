import { Body, Controller, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiResponse, ApiSecurity, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { asLocation } from '#http/location.js';
import type { ApiRequest } from '#http/access/caller.js';
import { FORM_TYPES, FormBody } from '#http/input/form-body.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Channels } from '../../workspace/workspace.contract.js';
import { AttachmentFiles } from '../attachments/attachment-files.js';
import { MessageResponse } from '../conversations.dto.js';
import { InboundMessages } from './inbound-messages.js';
import { HookQuery } from './inbound.dto.js';
import { messageOfForm } from './form.js';
import { readForm } from './read-form.js';

const THANKS = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Thank you</title><h1>Thank you</h1><p>We have received your message.</p></html>
`;

const ANSWERS = {
  'application/json': { schema: { $ref: getSchemaPath(MessageResponse) } },
  'text/html': { schema: { type: 'string' } },
};

@ApiTags('Inbound')
@ApiSecurity('hook-token')
@Controller('hooks/v1/channels/:channel_id')
export class FormController {
  constructor(
    private readonly channels: Channels,
    private readonly inbound: InboundMessages,
    private readonly files: AttachmentFiles,
  ) {}

  /**
   * Push a submitted web form in, or make it the action of the form itself. The URL with its token is on the e-mail channel.
   *
   * Contact fields are recognised by their common names. `utm_*`, `gclid`, `fbclid`, `referrer` and `landing_page` go to
   * `form_request_body.campaign`, everything else to `form_request_body.fields`. A post with a `submission_id`
   * is a repeat if everything in it is as it was. A browser that sends a form is shown a page, or sent to the channel's `form_thank_you_url`.
   */
  @Post('form')
  @HttpCode(201)
  @ApiConsumes('application/json', ...FORM_TYPES)
  @ApiBody({
    schema: {
      type: 'object',
      additionalProperties: true,
      example: {
        name: 'Grace Hopper',
        email: 'grace@navy.example',
        message: 'In blue?',
        utm_source: 'spring',
      },
    },
  })
  @ApiResponse({ status: 201, description: 'The message; a page for a browser.', content: ANSWERS })
  @ApiResponse({ status: 200, description: 'It was recorded before.', content: ANSWERS })
  @ApiResponse({ status: 303, description: 'A browser is sent to the page that thanks.' })
  @ApiProblems(400, 401, 404)
  async form(
    @Param('channel_id') channelId: string,
    @Query() _query: HookQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<MessageResponse | string | undefined> {
    const context = this.inbound.open(request, channelId, 'email');
    const { fields, files } = await readForm(body);
    const attachments = await this.files.keep(context.organizationId, files);
    const { message, created } = await this.inbound.record(context, messageOfForm(fields, attachments));
    void reply.status(created ? 201 : 200);
    if (!isBrowser(request, body)) return message;
    const page = await this.channels.thankYouUrl(context.organizationId);
    if (page === null) {
      void reply.header('content-type', 'text/html; charset=utf-8');
      return THANKS;
    }
    void reply.status(303).header('location', asLocation(page));
    return undefined;
  }
}

/** Programs that post forms of their own ask for JSON, or for anything. */
const isBrowser = (request: ApiRequest, body: unknown): boolean =>
  body instanceof FormBody && /\btext\/html\b/i.test(request.headers.accept ?? '');
