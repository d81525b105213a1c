import { Injectable } from '@nestjs/common';
import type { Transaction } from '#database/statements/statement.js';
import { EventStore } from '#event-store/event-store.js';
import { ConversationQueries } from './conversations.queries.js';

/** Keeps conversations from being merged while others write references to them. */
@Injectable()
export class ConversationHolds {
  constructor(
    private readonly store: EventStore,
    private readonly queries: ConversationQueries,
  ) {}

  /**
   * Runs `work` in one transaction with the present ids of these conversations, each once: a merged one is replaced by the
   * one that stays, an id of no conversation is passed on. None of them can be merged until the transaction ends.
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
    // A merge takes the same locks.
    this.store.lock(tx, organizationId, ids);
    const into = await this.queries.mergersOf(tx, organizationId, ids);
    if (into.size === 0) return ids;
    const next = [...new Set(ids.map((id) => into.get(id) ?? id))];
    return this.hold(tx, organizationId, next);
  }
}
