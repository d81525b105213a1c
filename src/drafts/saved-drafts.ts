import { Injectable } from '@nestjs/common';
import { actingAgent, type Context } from '#kernel/context.js';
import type { Instant } from '#kernel/instant.js';
import { appendTo } from '#event-store/append.js';
import type { Change, Versioned } from '#event-store/change.js';
import { EventStore } from '#event-store/event-store.js';
import { type Conversation, conversations } from '../conversations/conversations.contract.js';
import { draft, type Draft, type DraftEvent, isOnItsWay } from './draft.js';
import type { Recipient } from './draft-content.js';
import { drafts } from './drafts.projection.js';
import { QueueingPolicy } from './send-policy.js';
import { ReplyRecipients } from './reply-recipients.js';

/** The channel, recipient and sending agent of a draft. */
interface Sending {
  modality: string;
  recipient: Recipient;
  agent_id: string | null;
  /** Of a reply: its conversation's. */
  heard_at: Instant | null;
}

/** Puts saved drafts on the queue. */
@Injectable()
export class SavedDrafts {
  constructor(
    private readonly store: EventStore,
    private readonly recipients: ReplyRecipients,
    private readonly queueing: QueueingPolicy,
  ) {}

  /**
   * Queues the draft, to leave `at` this instant or at once; one queued already is left alone. Null when it is gone, when it was changed meanwhile, since its
   * channel or links may differ now, or, with `again`, when it has not come back from a delivery.
   */
  async queue(
    context: Context,
    draftId: string,
    { again = false, at = null }: { again?: boolean; at?: Instant | null } = {},
  ): Promise<Versioned<Draft> | null> {
    const { organizationId } = context;
    const { database } = this.store;
    const saved = await this.store.load<Draft>(database, organizationId, drafts, draftId);
    if (!saved.state) return null;
    if (isOnItsWay(saved.state)) return saved;
    if (again && saved.state.delivery.status === 'none') return null;
    const { modality, recipient, agent_id, heard_at } = await this.sending(context, saved.state);
    const sendable = { ...saved.state, ...recipient, agent_id };
    const accepted = await this.queueing.accept(organizationId, modality, sendable, at, saved.state);
    // Whoever has it tried again does not answer what came since it was accepted first.
    const queued = { ...accepted, heard_at: again ? saved.state.heard_at : heard_at };
    const queue = ({ state, version }: Versioned<Draft>) =>
      version === saved.version ? draft.decide(state, { type: 'QueueDraft', queued, recipient }) : [];
    const sent = saved.state.cancel_on_reply
      ? await this.apartFromMessages(context, saved.state, queue)
      : await this.store.change(context, drafts, draftId, queue);
    return sent.state && isOnItsWay(sent.state) ? sent : null;
  }

  /** A message of the contact that is being recorded right now comes before the change, or sees it. */
  private apartFromMessages(
    context: Context,
    { draft_id, conversation_id }: Draft,
    decide: (current: Versioned<Draft>) => DraftEvent[],
  ): Promise<Versioned<Draft>> {
    const { organizationId } = context;
    return this.store.exclusively(organizationId, [conversation_id!, draft_id], async (tx) => {
      const current = await this.store.load<Draft>(tx, organizationId, drafts, draft_id);
      const events = decide(current);
      if (events.length === 0) return current;
      const [change] = await this.store.appendIn(tx, context, [appendTo(drafts, draft_id, current, events)]);
      return change as Change<Draft>;
    });
  }

  /**
   * For a reply, taken from the conversation and contact as they are now: an address may have been corrected, or the owner
   * changed. Whom a mail shows stays, though others may have written.
   */
  private async sending(context: Context, saved: Draft): Promise<Sending> {
    const { organizationId } = context;
    const actor = actingAgent(context);
    if (saved.kind === 'message')
      return {
        modality: saved.modality!,
        recipient: recipientOf(saved),
        agent_id: actor ?? saved.agent_id,
        heard_at: null,
      };
    const { state } = await this.store.load<Conversation>(
      this.store.database,
      organizationId,
      conversations,
      saved.conversation_id!,
    );
    return {
      modality: await this.queueing.modalityOfReply(organizationId, state!),
      recipient: await this.recipients.of(organizationId, state!, saved),
      agent_id: actor ?? saved.writer_id ?? state!.agent_id,
      heard_at: state!.heard_at,
    };
  }
}

const recipientOf = ({ recipient_name, recipient_email, recipient_phone_number }: Draft): Recipient => ({
  recipient_name,
  recipient_email,
  recipient_phone_number,
});
