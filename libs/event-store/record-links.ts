import type { Transaction } from '#database/statements/statement.js';
import type { DomainEvent } from '#kernel/decider.js';
import type { Aggregate } from './aggregate.js';
import { type Append, appendTo } from './append.js';
import type { EventStore } from './event-store.js';

/** A record that others link to. */
export interface LinkedRecord {
  /** The type of its stream. */
  type: string;
  id: string;
}

/** One kind of record that links to others. */
export interface LinkHolder<State extends object, Event extends DomainEvent> {
  aggregate: Aggregate<State, Event>;
  /** The ids of those that link to this record. Where `to` is null, those that cannot do without it are enough. */
  linkedTo: (
    tx: Transaction,
    organizationId: string,
    record: LinkedRecord,
    to: string | null,
  ) => Promise<string[]>;
  /** The events by which one links to the record `to` instead, or to nothing. Throws where it cannot. */
  relink: (state: State, record: LinkedRecord, to: string | null) => Event[];
}

/**
 * What links to what. A context tells of the links that its records hold, so that whoever ends a record can have them changed in
 * the same transaction without knowing of them.
 */
export class RecordLinks {
  private readonly holders: LinkHolder<object, DomainEvent>[] = [];

  constructor(private readonly store: EventStore) {}

  add<State extends object, Event extends DomainEvent>(holder: LinkHolder<State, Event>): void {
    this.holders.push(holder as unknown as LinkHolder<object, DomainEvent>);
  }

  /**
   * The appends by which all that links to a record links to the record `to` instead, or to nothing. The record's own lock is held,
   * so nothing new can link to it.
   */
  async moving(
    tx: Transaction,
    organizationId: string,
    record: LinkedRecord,
    to: string | null,
  ): Promise<Append[]> {
    const appends: Append[] = [];
    for (const { aggregate, linkedTo, relink } of this.holders) {
      const ids = await linkedTo(tx, organizationId, record, to);
      if (ids.length === 0) continue;
      // Waits for changes under way, then reads what they have left.
      this.store.lock(tx, organizationId, ids);
      const states = await this.store.loadAll(tx, organizationId, aggregate, ids);
      for (const [id, current] of states) {
        const events = current.state ? relink(current.state, record, to) : [];
        if (events.length > 0) appends.push(appendTo(aggregate, id, current, events));
      }
    }
    return appends;
  }
}
