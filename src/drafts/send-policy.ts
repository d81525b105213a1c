import { Injectable } from '@nestjs/common';
import { RuleViolation } from '#kernel/decider.js';
import { newId } from '#kernel/id.js';
import type { Instant } from '#kernel/instant.js';
import { Database } from '#database/database.js';
import { Problem } from '#http/problems/problem.js';
import { type Conversation, replyModality } from '../conversations/conversations.contract.js';
import { Channels } from '../workspace/workspace.contract.js';
import type { Draft } from './draft.js';
import type { DraftContent, Queueing } from './draft-content.js';
import { linksOf } from './content/html.js';
import { plainText } from './content/plain-text.js';
import { SuppressedRecipients } from './suppressed-recipients.js';

/** The fields that decide whether and how a draft can be sent. */
type Sendable = Pick<Draft, 'kind'> & DraftContent;

/** Whether a body asks to send its draft at once. Throws `RuleViolation` when it asks for a notification, too. */
export function wantsAutosend(body: { autosend_draft?: boolean; add_notification?: boolean }): boolean {
  const autosend = body.autosend_draft ?? false;
  if (autosend && (body.add_notification ?? true))
    throw new RuleViolation(
      'validation_failed',
      'must be false when autosend_draft is true',
      'add_notification',
    );
  return autosend;
}

/** Decides whether a draft can be accepted for sending, and with which Message-ID and links. */
@Injectable()
export class QueueingPolicy {
  constructor(
    private readonly channels: Channels,
    private readonly database: Database,
    private readonly suppressed: SuppressedRecipients,
  ) {}

  /** The channel of a reply. A live chat without an inbox of ours is answered by e-mail, like anything without a channel. */
  async modalityOfReply(organizationId: string, conversation: Conversation): Promise<string> {
    const modality = replyModality(conversation);
    const lacksInbox = modality === 'live_chat' && !(await this.channels.has(organizationId, modality));
    return lacksInbox ? 'email' : modality;
  }

  /** Throws `channel_not_configured` (400). */
  async requireChannel(organizationId: string, modality: string): Promise<void> {
    if (!(await this.channels.has(organizationId, modality)))
      throw new Problem(
        400,
        'channel_not_configured',
        `modality: this organization has no ${modality} channel to send by.`,
      );
  }

  /**
   * Accepts a draft for sending. Throws (400) `channel_not_configured`, `recipient_missing`, `recipient_suppressed`,
   * `files_not_supported`, and `validation_failed` for a
   * text that says nothing. An e-mail tried before keeps its Message-ID and links: receivers fold the copies, and clicks in
   * whichever copy they keep count for the message. It is to leave at `sendAt`; null for at once.
   */
  async accept(
    organizationId: string,
    modality: string,
    draft: Sendable,
    sendAt: Instant | null,
    earlier: Pick<Draft, 'email_message_id' | 'links'> | null = null,
  ): Promise<Queueing> {
    await this.requireChannel(organizationId, modality);
    if (modality !== 'live_chat') requireRecipient(modality, draft);
    requireMail(modality, draft.files ?? []);
    await this.suppressed.refuse(organizationId, modality, draft);
    if (modality === 'text' && plainText(draft, modality) === '')
      throw new RuleViolation('validation_failed', 'leaves no text to send', 'body_html');
    const { agent_id, body_html } = draft;
    const common = { scheduled_send_at: sendAt ?? (await this.database.now()), modality, agent_id };
    if (modality !== 'email') return { ...common, email_message_id: null, links: [] };
    if (earlier?.email_message_id) {
      const { email_message_id, links } = earlier;
      return { ...common, email_message_id, links };
    }
    const links = linksOf(body_html ?? '').map((url) => ({ link_id: newId('link'), url }));
    return { ...common, email_message_id: await this.newMessageId(organizationId), links };
  }

  private async newMessageId(organizationId: string): Promise<string> {
    const channel = await this.channels.email(organizationId);
    return `${newId('delivery')}@${channel!.from.address.split('@').at(-1)}`;
  }
}

/** Throws `files_not_supported` (400) for files that would have to leave otherwise than by e-mail. */
export function requireMail(modality: string, files: unknown[]): void {
  if (files.length === 0 || modality === 'email') return;
  const detail = `cannot leave by ${modality}: only an e-mail carries files`;
  throw new Problem(400, 'files_not_supported', `file_ids: ${detail}.`, {
    errors: [{ field: 'file_ids', detail }],
  });
}

/** The 400 names the field to correct: in a message draft's body, or of the contact that a reply goes to. */
function requireRecipient(modality: string, draft: Sendable): void {
  const [address, given] =
    modality === 'text'
      ? (['recipient_phone_number', 'to_phone_number'] as const)
      : (['recipient_email', 'to_email'] as const);
  if (draft[address]) return;
  const field = draft.kind === 'message' ? given : address;
  const detail = `there is none to send this ${modality} to.`;
  throw new Problem(400, 'recipient_missing', `${field}: ${detail}`, { errors: [{ field, detail }] });
}
