import type { Context } from '#kernel/context.js';
import type { DomainEvent } from '#kernel/decider.js';
import { isId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import type { Aggregate } from '#event-store/aggregate.js';
import { appendTo } from '#event-store/append.js';
import type { Versioned } from '#event-store/change.js';
import type { EventStore } from '#event-store/event-store.js';
import { requireExpected } from '#event-store/expectation.js';
import type { RecordLinks } from '#event-store/record-links.js';
import { VersionConflict } from '#event-store/refusal.js';
import type { Transaction } from '#database/statements/statement.js';
import { invalid, Problem } from '../problems/problem.js';

/** One record that is to be merged into another. */
export interface Merger<State extends object, Event extends DomainEvent> {
  context: Context;
  aggregate: Aggregate<State, Event>;
  /** The kind of their ids. */
  kind: string;
  id: string;
  /** The other one, and the field that names it. */
  fromId: string;
  field: string;
  /** The 404 for the record of the path. */
  missing: () => Promise<Problem>;
  /** Locks to hold beside those of the two. */
  locks?: (record: State, from: State) => string[];
  /** Called under all locks; throws where they cannot be merged. */
  check?: (tx: Transaction) => Promise<void>;
  /** The events of the two: of the one that stays, and of the one that ends. */
  decide: (record: State, from: State) => [stays: Event[], ends: Event[]];
}

/**
 * Merges a record into another in one transaction, with all that links to it; gives the one that stays. Of two mergers of the same
 * records at the same moment, one is refused (409); once the other is done, it is a merger into a record that was merged (404). Throws a 400 for a record that is to be merged into itself or is not there.
 */
export async function mergeRecord<State extends object, Event extends DomainEvent>(
  store: EventStore,
  links: RecordLinks,
  merger: Merger<State, Event>,
): Promise<Versioned<State>> {
  const { context, aggregate, kind, id, fromId, field } = merger;
  const { organizationId } = context;
  const began = now();
  if (!isId(kind, id)) throw await merger.missing();
  const before = await store.loadAll(store.database, organizationId, aggregate, [id, fromId]);
  const [record, from] = [before.get(id)!.state, before.get(fromId)!.state];
  if (!record) {
    const missing = await merger.missing();
    const isInTheOtherWay = missing.extras.hint?.route.endsWith(`/${fromId}`);
    const ended = isInTheOtherWay ? await store.lastChange(organizationId, id) : null;
    throw ended !== null && ended >= began ? new VersionConflict('merged the other way round') : missing;
  }
  if (fromId === id) throw invalid([{ field, detail: 'must be another one' }]);
  if (!from) throw invalid([{ field, detail: `there is no ${aggregate.streamType} ${fromId}` }]);
  const keys = [id, fromId, ...(merger.locks?.(record, from) ?? [])];
  const checked = async (tx: Transaction) => {
    const now = await store.loadAll(tx, organizationId, aggregate, [id, fromId]);
    const [stays, ends] = [now.get(id)!, now.get(fromId)!];
    // Both were there before the locks.
    if (!stays.state || !ends.state) throw new VersionConflict('a record was merged or deleted');
    requireExpected(context, stays);
    await merger.check?.(tx);
    return { stays: { ...stays, state: stays.state }, ends: { ...ends, state: ends.state } };
  };
  // Nothing is moved for a merger that is refused.
  await store.exclusively(organizationId, keys, checked);
  await links.moveMany(context, { type: aggregate.streamType, id: fromId }, id);
  return store.exclusively(organizationId, keys, async (tx) => {
    const { stays, ends } = await checked(tx);
    const [kept, ended] = merger.decide(stays.state, ends.state);
    const moved = await links.moving(tx, organizationId, { type: aggregate.streamType, id: fromId }, id);
    const [change] = await store.appendIn(tx, context, [
      appendTo(aggregate, id, stays, kept),
      appendTo(aggregate, fromId, ends, ended),
      ...moved,
    ]);
    return change as Versioned<State>;
  });
}

/** The 404 for a record that was merged into another, where that is to be found instead. */
export const merged = (what: string, id: string, into: string, route: string): Problem =>
  new Problem(404, 'merged', `The ${what} ${id} was merged into ${into}.`, {
    hint: { method: 'GET', route },
  });
