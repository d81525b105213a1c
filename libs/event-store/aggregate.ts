import type { DomainEvent } from '#kernel/decider.js';
import type { StoredEvent } from '#kernel/context.js';
import type { Statement } from '#database/statements/statement.js';
import type { Change } from './change.js';
import { type AnyRowTable, type RowTable, saveRows, type Stamped } from './rows.js';

/**
 * One kind of stream: how its events fold to a state, and the table with that state as a row. The row is written in the
 * append's transaction, so a command decides on one row, however long the stream is. `also` gives further statements for a
 * batch of changes of one organization, such as the lines of an order. `guard` names an SQL function through which appended rows pass as
 * jsonb; it raises an error when something that they rely on has changed. `isSilent` tells of a row that is `stamped` whether an
 * event changes nothing that is shown.
 */
export interface Aggregate<
  State extends object = object,
  Event extends DomainEvent = DomainEvent,
> extends AnyAggregate {
  evolve(state: State | null, event: Event): State | null;
  row: RowTable<State>;
  isSilent?(event: Event, before: State, after: State): boolean;
  also?(organizationId: string, changes: Change<State, Event>[]): Statement[];
}

/** An aggregate with state and events of unknown types, as registries hold it. */
export interface AnyAggregate {
  streamType: string;
  evolve(state: object | null, event: DomainEvent): object | null;
  row: AnyRowTable;
  isSilent?(event: DomainEvent, before: object, after: object): boolean;
  also?(organizationId: string, changes: Change[]): Statement[];
  guard?: string;
  /** Further tables that `also` writes; rebuild and verify need to know them. */
  alsoTables?: string[];
  /**
   * The types of events that reach beyond their stream: `also` changes others' rows for them, or they take what another stream had. A
   * transaction with one of them is applied again by itself, since among others the order of streams is not that of events.
   */
  reaching?: readonly string[];
}

/** The state after these events, starting from nothing or from an earlier state; stamped, where the rows are. */
export function fold<State extends object, Event extends DomainEvent>(
  aggregate: Pick<Aggregate<State, Event>, 'evolve' | 'isSilent'> & { row: AnyRowTable },
  events: Pick<StoredEvent, 'type' | 'data' | 'occurred_at'>[],
  from: State | null = null,
): State | null {
  return events.reduce<State | null>((before, event) => {
    const told = event as unknown as Event;
    const after = aggregate.evolve(before, told);
    if (!aggregate.row.stamped || after === null || after === before) return after;
    const isSilent = before !== null && aggregate.isSilent?.(told, before, after);
    // A fresh object, so it may be written to.
    if (!isSilent) (after as Stamped<State>).updated_at = event.occurred_at;
    return after;
  }, from);
}

/** The statements that update an aggregate's tables for these changes of one organization. */
export function statementsFor(
  aggregate: AnyAggregate,
  organizationId: string,
  changes: Change[],
): Statement[] {
  const moved = changes.filter(({ events }) => events.length > 0);
  if (moved.length === 0) return [];
  return [
    ...saveRows(aggregate.row, organizationId, moved),
    ...(aggregate.also?.(organizationId, moved) ?? []),
  ];
}
