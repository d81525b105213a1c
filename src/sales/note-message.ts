import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Instant } from '#kernel/instant.js';
import type { Transaction } from '#database/statement.js';
import { type Append, appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { MessageListeners } from '../conversations/conversations.contract.js';
import { sale } from './sale.js';
import { sales } from './sales.projection.js';
import { SalesQueries } from './sales.queries.js';

/** A message recorded in an associated conversation is activity of the sale, which follows a merged one, in the same transaction. */
@Injectable()
export class NoteMessage implements OnModuleInit {
  constructor(
    private readonly listeners: MessageListeners,
    private readonly store: EventStore,
    private readonly queries: SalesQueries,
  ) {}

  onModuleInit(): void {
    this.listeners.recorded.add((...message) => this.appends(...message));
  }

  private async appends(
    tx: Transaction,
    organizationId: string,
    conversation_id: string,
    at: Instant,
    merged_ids: string[],
  ): Promise<Append[]> {
    const ids = await this.queries.salesOfConversations(tx, organizationId, [conversation_id, ...merged_ids]);
    if (ids.length === 0) return [];
    // A sale that is changed at this moment is waited for, and then read as it has become.
    this.store.lock(tx, organizationId, ids);
    const states = await this.store.loadAll(tx, organizationId, sales, ids);
    return ids.flatMap((id) => {
      const current = states.get(id)!;
      const events = sale.decide(current.state, { type: 'NoteMessage', conversation_id, merged_ids, at });
      return events.length > 0 ? [appendTo(sales, id, current, events)] : [];
    });
  }
}
