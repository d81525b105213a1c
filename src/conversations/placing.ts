import { Injectable } from '@nestjs/common';
import { RuleViolation } from '#kernel/decider.js';
import { isId } from '#kernel/id.js';
import { type Instant, now, plusSeconds } from '#kernel/instant.js';
import type { Transaction } from '#database/statement.js';
import type { Versioned } from '#event-store/change.js';
import { type Append, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import type { Conversation } from './conversation-state.js';
import { conversations } from './conversations.projection.js';
import { ConversationQueries } from './conversations.queries.js';
import { answeredMails, messageIdKey, type RecordedMessage } from './message.js';
import { MessageListeners } from './message-listeners.js';
import { ANSWERED_BY_PLACED, ANSWERS, PlacingQueries } from './placing.queries.js';

/** A message and what tells where it belongs. */
export interface ToPlace {
  message: RecordedMessage;
  /** Null for wherever it belongs. */
  conversation_id: string | null;
  /** The conversation named by the address it was sent to: it belongs there unless it answers a mail that is recorded. */
  addressed_conversation_id: string | null;
  /** The contact it was exchanged with; null where the conversation is given. */
  contactId: string | null;
  /** It follows no other message, so no other message can show that it belongs elsewhere. */
  begins: boolean;
  opens_conversation: boolean;
}

/** Two machines answer each other: the conversation has had its share of automatic replies for this hour. */
export class AutoReplyLoop extends Error {}

const MOST_AUTO_REPLIES = 50;

type Existing = Versioned<Conversation> & { state: Conversation };

/** The locked conversation where a message belongs, and those that the message shows to be parts of it. */
export interface Place {
  conversation: Existing | typeof NEW;
  merged: Existing[];
  /** What other contexts append because the message is recorded there. */
  follows: Append[];
}

const NOWHERE: Place = { conversation: NEW, merged: [], follows: [] };

/** Finds where messages belong (decisions, section 6). The order in which they arrive makes no difference. */
@Injectable()
export class Placing {
  constructor(
    private readonly store: EventStore,
    private readonly queries: PlacingQueries,
    private readonly conversations: ConversationQueries,
    private readonly listeners: MessageListeners,
  ) {}

  /** Where a message recorded `at` this instant belongs. Throws `RuleViolation` when the given conversation does not exist. */
  async place(tx: Transaction, organizationId: string, message: ToPlace, at: Instant): Promise<Place> {
    let given = message.conversation_id;
    let addressed = message.addressed_conversation_id;
    for (;;) {
      const place = { ...message, conversation_id: given, addressed_conversation_id: addressed };
      const candidates = await this.candidates(tx, organizationId, place, at);
      if (candidates.length === 0) return NOWHERE;
      this.store.lock(tx, organizationId, [
        ...candidates,
        // Nobody may begin a reply in a conversation while it is merged away.
        ...(candidates.length > 1 ? candidates.map((id) => `reply:${id}`) : []),
      ]);
      const followsFrom = (id: string, merged: string[]) =>
        this.listeners.recorded.ask(tx, organizationId, id, at, merged);
      const [states, follows] = await Promise.all([
        this.store.loadAll<Conversation>(tx, organizationId, conversations, candidates),
        // Mostly there is one candidate: nothing merges, so what follows can be read together with the state.
        candidates.length === 1 ? followsFrom(candidates[0]!, []) : null,
      ]);
      const found = candidates.map((id) => states.get(id)!);
      // A candidate merged before we had its lock has no state: look again, where it has gone.
      if (found.every(({ state }) => state !== null)) {
        const place = await this.together(tx, organizationId, message, found as Existing[]);
        const ids = place.merged.map(({ state }) => state.conversation_id);
        return {
          ...place,
          follows: follows ?? (await followsFrom(place.conversation.state.conversation_id, ids)),
        };
      }
      if (given !== null && !states.get(given)!.state) given = await this.merged(tx, organizationId, given);
      if (addressed !== null && states.get(addressed)?.state === null)
        addressed = (await this.conversations.mergedInto(organizationId, addressed, tx)) ?? null;
    }
  }

  /** Throws `AutoReplyLoop` for an automatic reply beyond 50 in an hour to one conversation. */
  async refuseLoop(
    tx: Transaction,
    organizationId: string,
    message: RecordedMessage,
    conversationId: string,
  ): Promise<void> {
    if (!message.is_auto_reply) return;
    const anHourAgo = plusSeconds(now(), -3_600);
    const replies = await this.queries.autoRepliesSince(
      tx,
      organizationId,
      conversationId,
      anHourAgo,
      MOST_AUTO_REPLIES,
    );
    if (replies >= MOST_AUTO_REPLIES && message.sent_at > anHourAgo) throw new AutoReplyLoop();
  }

  /** The conversation where the message belongs, then those that merge with it; empty for a new conversation. */
  private async candidates(
    tx: Transaction,
    organizationId: string,
    place: ToPlace,
    at: Instant,
  ): Promise<string[]> {
    const { conversation_id, contactId, opens_conversation } = place;
    const { modality, sent_at } = place.message;
    const tied = await this.tied(tx, organizationId, place);
    if (conversation_id !== null) {
      const isLate = modality !== 'email' && sent_at < at;
      const after = isLate
        ? await this.queries.conversationAfter(tx, organizationId, conversation_id, modality, sent_at)
        : [];
      return [...new Set([conversation_id, ...tied, ...after])];
    }
    if (tied.length > 0 || opens_conversation || modality === 'email') return tied;
    return this.queries.conversationsAround(tx, organizationId, contactId!, modality, sent_at);
  }

  private async tied(tx: Transaction, organizationId: string, place: ToPlace): Promise<string[]> {
    const { conversation_id, addressed_conversation_id: addressed, contactId, opens_conversation } = place;
    const { email_metadata } = place.message;
    const { email_message_id } = email_metadata;
    const messageKey = email_message_id === null ? null : messageIdKey(email_message_id);
    // Where a caller puts a mail says nothing about the mails that it answers.
    const isPlaced = conversation_id !== null || opens_conversation;
    const answered = isPlaced ? [] : answeredMails(email_metadata);
    const query = { messageKey, answered, contactId: contactId ?? '' };
    const found =
      messageKey === null && answered.length === 0
        ? []
        : await this.queries.tiedConversations(tx, organizationId, query);
    const isNamed = isPlaced || (addressed !== null && found[0]?.tie !== ANSWERS);
    const tied = found
      .filter(
        ({ tie, has_beginning }, index) =>
          (tie !== ANSWERED_BY_PLACED || (index === 0 && !isNamed)) && !(isPlaced && has_beginning),
      )
      .map((one) => one.conversation_id);
    return isNamed && addressed !== null ? [addressed, ...tied.filter((id) => id !== addressed)] : tied;
  }

  /** The conversation that this one was merged into. Throws `RuleViolation` when it never was. */
  private async merged(tx: Transaction, organizationId: string, id: string): Promise<string> {
    const into = isId('conv', id) ? await this.conversations.mergedInto(organizationId, id, tx) : undefined;
    if (into !== undefined) return into;
    throw new RuleViolation('validation_failed', `there is no conversation ${id}`, 'conversation_id');
  }

  /**
   * Merges conversations of which at most one has a beginning; two that have one stay apart. A given conversation stays,
   * else one with a pending reply, since a reply on its way must not lose its conversation, else the one opened first.
   */
  private async together(
    tx: Transaction,
    organizationId: string,
    { conversation_id, begins }: ToPlace,
    [first, ...others]: Existing[],
  ): Promise<{ conversation: Existing; merged: Existing[] }> {
    if (others.length === 0) return { conversation: first!, merged: [] };
    const ids = [first!, ...others].map(({ state }) => state.conversation_id);
    const pending = new Set(await this.listeners.replying.ask(tx, organizationId, ids));
    const hasReply = ({ state }: Existing) => pending.has(state.conversation_id);
    const whole = [first!];
    let hasBeginning = begins || first!.state.has_beginning;
    for (const other of others) {
      if (hasBeginning && other.state.has_beginning) continue;
      if (hasReply(other) && (conversation_id !== null || whole.some(hasReply))) continue;
      hasBeginning ||= other.state.has_beginning;
      whole.push(other);
    }
    const kept = conversation_id !== null ? first! : (whole.find(hasReply) ?? oldest(whole));
    return { conversation: kept, merged: whole.filter((one) => one !== kept) };
  }
}

const oldest = (found: Existing[]): Existing =>
  found.reduce((one, other) => (other.state.conversation_id < one.state.conversation_id ? other : one));
