import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { contextOf, type ParleyRequest } from '#http/caller.js';
import { Channels } from '../workspace/workspace.contract.js';
import type { MessageToRecord, Recorded } from './message-recorder.js';
import { RecordMessage } from './record-message.js';

/** What the doors of the providers share: who may come in, and the command behind them all. */
@Injectable()
export class Doors {
  constructor(
    private readonly channels: Channels,
    private readonly commands: CommandBus,
  ) {}

  /** The context of what this channel's provider does. 401 unless the token is the channel's own. */
  async open(request: ParleyRequest, channelId: string, modality: string, token: unknown): Promise<Context> {
    return contextOfProvider(
      request,
      channelId,
      await this.channels.organizationOfHook(channelId, modality, token),
    );
  }

  record(context: Context, message: MessageToRecord): Promise<Recorded> {
    return this.commands.execute(new RecordMessage(context, message));
  }
}

export const contextOfProvider = (
  request: ParleyRequest,
  channelId: string,
  organizationId: string,
): Context => ({ ...contextOf(request, { type: 'provider', id: channelId }), organizationId });
