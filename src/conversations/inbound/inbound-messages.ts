import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { contextOf, type ApiRequest } from '#http/access/caller.js';
import { notFound } from '#http/problems/problem.js';
import type { Addition, Recorded } from '../recording/message-planner.js';
import type { MessageToRecord } from '../recording/message-to-record.js';
import { RecordMessage } from '../recording/record-batch.js';

/** Shared by the doors of all providers: who may come in, and the command behind every door. */
@Injectable()
export class InboundMessages {
  constructor(private readonly commands: CommandBus) {}

  /**
   * The context for what this channel's provider does; its token was checked before. Throws 404 at a door of another kind
   * of channel.
   */
  open(request: ApiRequest, channelId: string, modality: string): Context {
    const hook = request.hook!;
    if (hook.modality !== modality) throw notFound('channel', channelId);
    return contextOfProvider(request, channelId, hook.organizationId);
  }

  record(context: Context, message: MessageToRecord, also?: Addition): Promise<Recorded> {
    return this.commands.execute(new RecordMessage(context, message, also));
  }
}

export const contextOfProvider = (
  request: ApiRequest,
  channelId: string,
  organizationId: string,
): Context => ({ ...contextOf(request, { type: 'provider', id: channelId }), organizationId });
