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
      for (const [organizationId, ofOrganization] of groupBy(own, (event) => event.organization_id)) {
        const streams = groupBy(ofOrganization, (event) => event.stream_id);
        const states = await loadRows(
          tx,
          aggregate.row,
          organizationId,
          streams.map(([id]) => id),
        );
        const changes = streams.map(([streamId, batch]): Change => {
          const before = states.get(streamId)?.state ?? null;
          const state = fold(aggregate, batch, before);
          return { organizationId, streamId, version: batch.at(-1)!.version, before, state, events: batch };
        });
        for (const statement of statementsFor(aggregate, organizationId, changes)) await tx.query(statement);
      }
    },
  };
}
