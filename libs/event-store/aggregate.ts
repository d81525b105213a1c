import type { DomainEvent } from '#kernel/decider.js';
import type { StoredEvent } from '#kernel/context.js';
import type { Statement, Transaction } from '#database/database.js';
import type { Change, Versioned } from './change.js';
import { loadRows, saveRows, type RowTable } from './rows.js';

/**
 * One kind of stream: how its events fold to a state, and the table whose row is that state. The row is written in
 * the append's transaction, so a command decides on one row, whatever the length of the stream.
 * `also` gives further statements per batch of changes, such as the messages of a conversation.
 */
export interface Aggregate<State extends object = object, Event extends DomainEvent = DomainEvent> {
  streamType: string;
  evolve(state: State | null, event: Event): State | null;
  row: RowTable<State>;
  also?(changes: Change<State>[]): Statement[];
  /** Further tables that `also` writes, so that rebuild and verify know them. */
  alsoTables?: string[];
}

/** An aggregate whose type parameters no longer matter, as registries hold it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- State is both taken and given: only any fits all
export type AnyAggregate = Aggregate<any, any>;

/** The stream types are prefixes of their ids' kinds; the fold of a stream from its very beginning. */
export function fold<State extends object, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  events: Pick<StoredEvent, 'type' | 'data'>[],
  from: State | null = null,
): State | null {
  return events.reduce<State | null>((state, event) => aggregate.evolve(state, event as Event), from);
}

/** The statements that bring an aggregate's tables to the state after these changes. */
export function statementsFor(aggregate: AnyAggregate, changes: Change<never>[]): Statement[] {
  const moved = changes.filter(({ events }) => events.length > 0);
  if (moved.length === 0) return [];
  return [...saveRows(aggregate.row, moved), ...(aggregate.also?.(moved) ?? [])];
}

/** The states of these streams as their rows hold them. */
export const loadStates = <State extends object>(
  tx: Pick<Transaction, 'query'>,
  aggregate: Aggregate<State, never>,
  organizationId: string,
  ids: string[],
): Promise<Map<string, Versioned<State>>> => loadRows(tx, aggregate.row, organizationId, ids);
