import { Injectable } from '@nestjs/common';
import { RuleViolation } from '#kernel/decider.js';
import { isId } from '#kernel/id.js';
import { type Instant, now } from '#kernel/instant.js';
import type { Transaction } from '#database/statements/statement.js';
import type { Versioned } from '#event-store/change.js';
import { type Append, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import type { Conversation } from '../conversation-state.js';
import { conversations } from '../conversations.projection.js';
import { ConversationQueries } from '../conversations.queries.js';
import { replyLock } from './locks.js';
import { MessageExtensions } from '../message-extensions.js';
import {
  type Existing,
  furtherRead,
  hourBefore,
  type Incoming,
  joined,
  mostAutoReplies,
  type Thread,
  tiedTo,
  tiesToFind,
} from './thread-rules.js';
import { MOST_LATEST, ThreadQueries } from './threads.queries.js';

/** Two machines answer each other: the conversation has had its share of automatic replies for this hour. */
export class AutoReplyLoop extends Error {}

const NEW_THREAD: Thread = { conversation: NEW, merged: [], follows: [] };

/** Finds where messages belong (decisions, section 6). The order in which they arrive makes no difference. */
@Injectable()
export class ThreadFinder {
  constructor(
    private readonly store: EventStore,
    private readonly queries: ThreadQueries,
    private readonly conversations: ConversationQueries,
    private readonly extensions: MessageExtensions,
  ) {}

  /**
   * Where a message recorded `at` this instant belongs. Throws `RuleViolation` when the given conversation does not exist,
   * and `AutoReplyLoop` for an automatic reply beyond 50 in an hour to one conversation, or 500 that answer nothing.
   */
  async find(tx: Transaction, organizationId: string, incoming: Incoming, at: Instant): Promise<Thread> {
    const ids = await this.candidates(tx, organizationId, incoming, at);
    if (ids.length === 0) return NEW_THREAD;
    this.store.lock(tx, organizationId, [
      ...ids,
      // Nobody may begin a reply in a conversation while it is merged away.
      ...(ids.length > 1 ? ids.map(replyLock) : []),
    ]);
    const [states, followsFirst] = await Promise.all([
      this.store.loadAll<Conversation>(tx, organizationId, conversations, ids),
      // Mostly there is one candidate: nothing merges, so what follows can be read together with the state.
      ids.length === 1 ? this.follows(tx, organizationId, ids[0]!, incoming, at, []) : null,
    ]);
    const found = ids.map((id) => states.get(id)!);
    if (!found.every(exists)) {
      const moved = await this.moved(tx, organizationId, incoming, states);
      return this.find(tx, organizationId, moved, at);
    }
    const pending = ids.length > 1 ? await this.extensions.replying.ask(tx, organizationId, ids) : [];
    const { conversation, merged } = joined(incoming, found, new Set(pending));
    const id = conversation.state.conversation_id;
    const follows = followsFirst ?? (await this.follows(tx, organizationId, id, incoming, at, merged));
    if (incoming.message.is_auto_reply) await this.refuseLoop(tx, organizationId, incoming, id);
    return { conversation, merged, follows };
  }

  /**
   * The conversation where the message belongs, then those that merge with it; empty for a new conversation. The rules tell
   * what to read (`tiesToFind`, `furtherRead`); no read depends on another's rows but by them.
   */
  private async candidates(
    tx: Transaction,
    organizationId: string,
    incoming: Incoming,
    at: Instant,
  ): Promise<string[]> {
    const ties = tiesToFind(incoming);
    const tied = tiedTo(incoming, ties ? await this.queries.tiedConversations(tx, organizationId, ties) : []);
    const { conversation_id, contactId, begins, message } = incoming;
    const { modality, sent_at } = message;
    switch (furtherRead(incoming, tied, at)) {
      case 'nothing':
        return conversation_id === null ? tied : [...new Set([conversation_id, ...tied])];
      case 'what goes on from the given one': {
        const id = conversation_id!;
        const after = await this.queries.conversationAfter(tx, organizationId, id, modality, sent_at);
        return [...new Set([id, ...tied, ...after])];
      }
      case 'what other automatic mails opened': {
        const since = hourBefore(at);
        const opened = await this.queries.openedByAutoReply(tx, organizationId, contactId!, since);
        return begins || opened.length === MOST_LATEST ? opened.slice(0, 1) : [];
      }
      case 'what goes on from a first contact':
        return this.queries.conversationFrom(tx, organizationId, contactId!, modality, sent_at);
      case 'what is around it by its channel':
        return this.queries.conversationsAround(tx, organizationId, contactId!, modality, sent_at);
    }
  }

  private follows(
    tx: Transaction,
    organizationId: string,
    conversationId: string,
    { message }: Incoming,
    at: Instant,
    merged: Existing[],
  ): Promise<Append[]> {
    const mergedIds = merged.map(({ state }) => state.conversation_id);
    return this.extensions.recorded.ask(tx, organizationId, conversationId, message, at, mergedIds);
  }

  /** The same where candidates were merged before we had their locks: what named one of them names the one that stays. */
  private async moved(
    tx: Transaction,
    organizationId: string,
    incoming: Incoming,
    states: ReadonlyMap<string, Versioned<Conversation>>,
  ): Promise<Incoming> {
    const { conversation_id, addressed_conversation_id: addressed } = incoming;
    const isGone = (id: string | null): id is string => id !== null && states.get(id)?.state === null;
    return {
      ...incoming,
      ...(isGone(conversation_id) && {
        conversation_id: await this.survivor(tx, organizationId, conversation_id),
      }),
      ...(isGone(addressed) && {
        addressed_conversation_id:
          (await this.conversations.mergedInto(organizationId, addressed, tx)) ?? null,
      }),
    };
  }

  /** The conversation that this one was merged into. Throws `RuleViolation` when it never was. */
  private async survivor(tx: Transaction, organizationId: string, id: string): Promise<string> {
    const into = isId('conv', id) ? await this.conversations.mergedInto(organizationId, id, tx) : undefined;
    if (into !== undefined) return into;
    throw new RuleViolation('validation_failed', `there is no conversation ${id}`, 'conversation_id');
  }

  private async refuseLoop(
    tx: Transaction,
    organizationId: string,
    { message, begins }: Incoming,
    conversationId: string,
  ): Promise<void> {
    const since = hourBefore(now());
    const most = mostAutoReplies(begins);
    const replies = await this.queries.autoRepliesSince(tx, organizationId, conversationId, since, most);
    if (replies >= most && message.sent_at > since) throw new AutoReplyLoop();
  }
}

const exists = (one: Versioned<Conversation>): one is Existing => one.state !== null;
