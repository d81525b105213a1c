import type { Context } from '#kernel/context.js';
import type { Reader, Transaction } from '#database/statements/statement.js';
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
    tx: Reader,
    organizationId: string,
    record: LinkedRecord,
    to: string | null,
  ) => Promise<string[]>;
  /** The events by which one links to the record `to` instead, or to nothing. Throws where it cannot. */
  relink: (state: State, record: LinkedRecord, to: string | null) => Event[];
}

type AnyHolder = LinkHolder<object, DomainEvent>;

/** Records changed in one transaction: each takes a lock, and the whole database shares the room for locks. */
const MOST = 1_000;

/**
 * What links to what. A context tells of the links that its records hold, so that whoever ends a record can have them changed in
 * the same transaction without knowing of them.
 */
export class RecordLinks {
  private readonly holders: AnyHolder[] = [];

  constructor(private readonly store: EventStore) {}

  add<State extends object, Event extends DomainEvent>(holder: LinkHolder<State, Event>): void {
    this.holders.push(holder as unknown as AnyHolder);
  }

  /**
   * Where more links to a record than fits into one transaction, moves as much as leaves the rest for one; see `moving`. Throws, with
   * nothing moved, where one cannot be. Otherwise each step is whole, and whoever is cut off goes on by doing the same again.
   */
  async moveMany(context: Context, record: LinkedRecord, to: string | null): Promise<void> {
    const { organizationId } = context;
    const linked = await this.linked(this.store.database, organizationId, record, to);
    if (linked.every(({ ids }) => ids.length <= MOST)) return;
    for (const { holder, ids } of linked)
      for (let at = 0; at < ids.length; at += MOST)
        await this.relinked(
          this.store.database,
          organizationId,
          holder,
          ids.slice(at, at + MOST),
          record,
          to,
        );
    for (let isMore = true; isMore;)
      isMore = await this.store.exclusively(organizationId, [record.id], async (tx) => {
        const left = await this.linked(tx, organizationId, record, to);
        const many = left.find(({ ids }) => ids.length > MOST);
        if (!many) return false;
        const ids = many.ids.slice(0, MOST);
        this.store.lock(tx, organizationId, ids);
        const appends = await this.relinked(tx, organizationId, many.holder, ids, record, to);
        await this.store.appendIn(tx, context, appends);
        return true;
      });
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
    for (const { holder, ids } of await this.linked(tx, organizationId, record, to)) {
      // Waits for changes under way, then reads what they have left.
      this.store.lock(tx, organizationId, ids);
      appends.push(...(await this.relinked(tx, organizationId, holder, ids, record, to)));
    }
    return appends;
  }

  /** What links to the record, by holder. */
  private async linked(reader: Reader, organizationId: string, record: LinkedRecord, to: string | null) {
    const linked: { holder: AnyHolder; ids: string[] }[] = [];
    for (const holder of this.holders) {
      const ids = await holder.linkedTo(reader, organizationId, record, to);
      if (ids.length > 0) linked.push({ holder, ids });
    }
    return linked;
  }

  private async relinked(
    reader: Reader,
    organizationId: string,
    { aggregate, relink }: AnyHolder,
    ids: string[],
    record: LinkedRecord,
    to: string | null,
  ): Promise<Append[]> {
    const states = await this.store.loadAll(reader, organizationId, aggregate, ids);
    return [...states].flatMap(([id, current]) => {
      const events = current.state ? relink(current.state, record, to) : [];
      return events.length > 0 ? [appendTo(aggregate, id, current, events)] : [];
    });
  }
}
