import { Injectable } from '@nestjs/common';
import type { Transaction } from '#database/statement.js';
import { EventStore } from '#event-store/event-store.js';
import { ConversationQueries } from './conversations.queries.js';

/** Keeps the conversations that others are about to refer to from being merged meanwhile. */
@Injectable()
export class HeldConversations {
  constructor(
    private readonly store: EventStore,
    private readonly queries: ConversationQueries,
  ) {}

  /**
   * Does `work`, in one transaction, with the ids of the conversations in which these are now, each once: one that was merged
   * goes by the one that stays. What is no conversation stays as it is.
   */
  async holding<Result>(
    organizationId: string,
    ids: string[],
    work: (held: string[]) => Promise<Result>,
  ): Promise<Result> {
    if (ids.length === 0) return work(ids);
    const { database } = this.store;
    const held = async (tx: Transaction) => work(await this.hold(tx, organizationId, ids));
    return database.inUnitOfWork ? database.transaction(held) : database.unitOfWork(held);
  }

  private async hold(tx: Transaction, organizationId: string, ids: string[]): Promise<string[]> {
    // Whoever merges them has these locks.
    this.store.lock(tx, organizationId, ids);
    const into = await this.queries.mergersOf(tx, organizationId, ids);
    if (into.size === 0) return ids;
    const next = [...new Set(ids.map((id) => into.get(id) ?? id))];
    return this.hold(tx, organizationId, next);
  }
}
