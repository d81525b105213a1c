import type { StoredEvent } from '#kernel/context.js';
import type { Transaction } from '#database/statements/statement.js';
import { loadRows } from './rows.js';
import { type AnyAggregate, fold, statementsFor } from './aggregate.js';
import type { Bulk } from './bulk.js';
import type { Change } from './change.js';
import type { Selection } from './feed.js';
import { groupBy } from './group-by.js';

/**
 * A read model made from the feed, or from a selection of it. `apply` takes events in feed order, set-wise, and must not
 * depend on where a batch ends.
 */
export interface Projection extends Selection {
  name: string;
  /** Raise it when the same events give different rows; the runner then rebuilds. */
  version: number;
  tables: string[];
  apply(tx: Transaction, events: StoredEvent[]): Promise<void>;
  /** A faster way to rebuild it; by `apply` when left out. */
  bulk?: Bulk;
  /** Called in the process that applied a batch, once that is committed. */
  applied?(): void;
}

/** An aggregate's tables as a projection, for rebuild and verify. */
export function rowsProjection(aggregate: AnyAggregate): Projection {
  return {
    name: aggregate.row.table,
    version: 1,
    tables: [aggregate.row.table, ...(aggregate.alsoTables ?? [])],
    async apply(tx, events) {
      const own = events.filter((event) => event.stream_type === aggregate.streamType);
      for (const [organizationId, ofOrganization] of groupBy(own, (event) => event.organization_id))
        for (const piece of piecesInOrder(ofOrganization, aggregate)) {
          const changes = await changesOf(tx, aggregate, organizationId, piece);
          for (const statement of statementsFor(aggregate, organizationId, changes))
            await tx.query(statement);
        }
    },
  };
}

/** Cuts events of one organization so that each transaction with an event that reaches beyond its stream is a piece of its own. */
function piecesInOrder(events: StoredEvent[], { reaching = [] }: AnyAggregate): StoredEvent[][] {
  const pieces: StoredEvent[][] = [];
  let last: StoredEvent[] | null = null;
  for (const [, transaction] of groupBy(events, ({ tx }) => tx)) {
    const isAlone = transaction.some(({ type }) => reaching.includes(type));
    if (last && !isAlone) last.push(...transaction);
    else pieces.push(transaction);
    last = isAlone ? null : pieces.at(-1)!;
  }
  return pieces;
}

/** The changes that events of an organization are to its streams. */
async function changesOf(
  tx: Transaction,
  aggregate: AnyAggregate,
  organizationId: string,
  events: StoredEvent[],
): Promise<Change[]> {
  const streams = groupBy(events, (event) => event.stream_id);
  const ids = streams.map(([id]) => id);
  const states = await loadRows(tx, aggregate.row, organizationId, ids);
  return streams.map(([streamId, own]) => {
    const before = states.get(streamId)?.state ?? null;
    const state = fold(aggregate, own, before);
    return { organizationId, streamId, version: own.at(-1)!.version, before, state, events: own };
  });
}
