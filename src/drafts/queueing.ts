import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { Problem } from '#http/problem.js';
import { Channels } from '../workspace/workspace.contract.js';
import type { Queueing, ReplyContent } from './response-draft.js';

/** Decides whether a draft can be accepted for sending, and under which identity it leaves. */
@Injectable()
export class QueueingPolicy {
  constructor(private readonly channels: Channels) {}

  /**
   * Throws `channel_not_configured` or `recipient_missing` (400). An e-mail that was tried before under
   * `earlierMessageId` keeps it, so that receivers fold copies.
   */
  async accept(
    organizationId: string,
    modality: string,
    recipient: Pick<ReplyContent, 'recipient_email' | 'recipient_phone_number' | 'agent_id'>,
    earlierMessageId: string | null = null,
  ): Promise<Queueing> {
    if (!(await this.channels.has(organizationId, modality)))
      throw new Problem(
        400,
        'channel_not_configured',
        `This organization has no ${modality} channel to send by.`,
      );
    const field = modality === 'text' ? 'recipient_phone_number' : 'recipient_email';
    if (modality !== 'live_chat' && !recipient[field])
      throw new Problem(400, 'recipient_missing', `${field}: the contact has none to send ${modality} to.`);
    return {
      scheduled_send_at: now(),
      modality,
      email_message_id:
        modality === 'email' ? (earlierMessageId ?? (await this.newMessageId(organizationId))) : null,
      agent_id: recipient.agent_id,
    };
  }

  private async newMessageId(organizationId: string): Promise<string> {
    const channel = await this.channels.email(organizationId);
    return `${newId('delivery')}@${channel!.from.address.split('@').at(-1)}`;
  }
}
