import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Instant } from '#kernel/instant.js';
import type { Transaction } from '#database/statements/statement.js';
import { type Append, appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { MessageExtensions, type RecordedMessage } from '../conversations/conversations.contract.js';
import { sale } from './sale.js';
import { sales } from './sales.projection.js';
import { SalesQueries } from './sales.queries.js';

/**
 * Notes on a sale, in the message's transaction, that a message was recorded in one of its conversations. A sale linked to
 * a merged conversation is linked to the one that stays.
 */
@Injectable()
export class NoteMessage implements OnModuleInit {
  constructor(
    private readonly extensions: MessageExtensions,
    private readonly store: EventStore,
    private readonly queries: SalesQueries,
  ) {}

  onModuleInit(): void {
    this.extensions.recorded.add((...message) => this.appends(...message));
  }

  private async appends(
    tx: Transaction,
    organizationId: string,
    conversation_id: string,
    _message: RecordedMessage,
    at: Instant,
    merged_ids: string[],
  ): Promise<Append[]> {
    const ids = await this.queries.salesOfConversations(tx, organizationId, [conversation_id, ...merged_ids]);
    if (ids.length === 0) return [];
    // Waits for a change of the sale under way, then reads the result.
    this.store.lock(tx, organizationId, ids);
    const states = await this.store.loadAll(tx, organizationId, sales, ids);
    return ids.flatMap((id) => {
      const current = states.get(id)!;
      const events = sale.decide(current.state, { type: 'NoteMessage', conversation_id, merged_ids, at });
      return events.length > 0 ? [appendTo(sales, id, current, events)] : [];
    });
  }
}
