import { Body, Controller, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiConsumes, ApiHeader, ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import type { ApiRequest } from '#http/access/caller.js';
import { FormBody } from '#http/input/form-body.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Problem } from '#http/problems/problem.js';
import { PublicUrl } from '#http/public-url.js';
import { Suppressions } from '../../suppressions/suppressions.contract.js';
import { Channels } from '../../workspace/workspace.contract.js';
import { contextOfProvider, InboundMessages } from './inbound-messages.js';
import { TwilioBody } from './inbound.dto.js';
import { RecordTextReport } from '../bounces/record-text-report.js';
import type { MessageToRecord } from '../recording/message-to-record.js';
import { asksToStart, asksToStop, failureOf, isDeliveryReport, messageOfText } from './text-message.js';
import { isSignedByTwilio } from './twilio-signature.js';

/** Tells Twilio that there is nothing to do. */
const NO_INSTRUCTIONS = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

@ApiTags('Inbound')
@ApiSecurity('twilio-signature')
@Controller('hooks/v1/channels/:channel_id')
export class TwilioController {
  constructor(
    private readonly channels: Channels,
    private readonly inbound: InboundMessages,
    private readonly publicUrl: PublicUrl,
    private readonly commands: CommandBus,
    private readonly suppressions: Suppressions,
  ) {}

  /**
   * Push a text in, as Twilio does. The URL is on the text channel.
   *
   * The signature is checked over this URL as the world knows it, PARLEY_PUBLIC_URL in front.
   */
  @Post('twilio')
  @HttpCode(200)
  @Header('content-type', 'text/xml; charset=utf-8')
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({ type: TwilioBody })
  @ApiHeader({
    name: 'X-Twilio-Signature',
    required: true,
    description: 'Signature of the URL and the parameters under the auth token.',
    schema: { type: 'string', maxLength: 28 },
  })
  @ApiOkResponse({
    description: 'It is recorded, now or before. Empty TwiML.',
    content: { 'text/xml': { schema: { type: 'string' }, example: NO_INSTRUCTIONS } },
  })
  @ApiProblems(400, 401, 403, 404)
  async text(
    @Param('channel_id') channelId: string,
    @Req() request: ApiRequest,
    @Body() body: unknown,
  ): Promise<string> {
    const { organizationId, authToken } = await this.channels.signedHook(channelId);
    const fields = body instanceof FormBody ? await body.fields() : unsupported();
    const given = fields.flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    );
    const url = this.publicUrl.value + request.url;
    if (!isSignedByTwilio(request.headers['x-twilio-signature'], authToken, url, given))
      throw new Problem(
        403,
        'wrong_signature',
        'X-Twilio-Signature: it is not that of this channel for this URL and these parameters.',
      );
    const parameters = new Map(given);
    const context = contextOfProvider(request, channelId, organizationId);
    if (isDeliveryReport(parameters)) await this.note(context, failureOf(parameters));
    else await this.record(context, messageOfText(parameters), parameters);
    return NO_INSTRUCTIONS;
  }

  /** Who asks for no more texts, or for texts again, is heard in the same transaction: Twilio does not send the text again. */
  private async record(
    context: Context,
    message: MessageToRecord,
    parameters: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { organizationId } = context;
    const { party } = message;
    const phone_number = (party && 'phone_number' in party && party.phone_number) || '';
    await this.inbound.record(context, message, async (_, tx) => {
      if (phone_number === '') return [];
      if (asksToStop(parameters))
        return this.suppressions.adding(tx, organizationId, [{ phone_number }], 'unsubscribed');
      return asksToStart(parameters) ? this.suppressions.liftingStop(tx, organizationId, phone_number) : [];
    });
  }

  private async note(context: Context, failure: ReturnType<typeof failureOf>): Promise<void> {
    if (failure)
      await this.commands.execute(new RecordTextReport(context, failure.externalId, failure.error));
  }
}

function unsupported(): never {
  throw new Problem(
    415,
    'unsupported_media_type',
    'Send the parameters as application/x-www-form-urlencoded.',
  );
}
