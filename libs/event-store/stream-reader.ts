import type { StoredEvent } from '#kernel/context.js';
import type { Instant } from '#kernel/instant.js';
import type { Database } from '#database/database.js';
import { cutShort, isCutShort, type Reader } from '#database/statements/statement.js';
import { RowReader } from '#database/statements/row-reader.js';
import { SameReads } from '#database/statements/same-reads.js';
import type { Aggregate } from './aggregate.js';
import { NEW } from './append.js';
import type { Versioned } from './change.js';
import { type AnyRowTable, loadRows, stateColumns, versionedState } from './rows.js';
import type { Cursor } from './feed.js';
import {
  type FeedLimits,
  type FeedPage,
  type Place,
  type FeedFilter,
  readEndOfFeed,
  readOrganizationFeed,
  readPlaces,
} from './organization-feed.js';
import { upcast, type Upcasters } from './upcast.js';

/** Reads the states of streams, and their events as the feed of an organization. */
export class StreamReader {
  private readonly readers = new Map<string, RowReader<{ stream_version: number }>>();
  private readonly reads: SameReads;

  constructor(
    readonly database: Database,
    protected readonly upcasters: Upcasters,
  ) {
    this.reads = new SameReads(database);
  }

  /** The state in a stream's row. The read may share a statement with others of the same time. */
  async latest<State extends object>(
    organizationId: string,
    aggregate: Aggregate<State, never>,
    id: string,
  ): Promise<Versioned<State>> {
    const row = await this.readerOf(aggregate.row).one(organizationId, id);
    return row ? versionedState<State>(row) : NEW;
  }

  /** When the latest event of a stream was recorded; null without one. */
  async lastChange(organizationId: string, id: string): Promise<Instant | null> {
    const [row] = await this.database.query<{ occurred_at: Instant }>({
      name: 'last_change',
      text: `SELECT occurred_at FROM es_event WHERE organization_id = $1 AND stream_id = $2
              ORDER BY version DESC LIMIT 1`,
      values: [organizationId, id],
    });
    return row?.occurred_at ?? null;
  }

  private readerOf(row: AnyRowTable): RowReader<{ stream_version: number }> {
    let reader = this.readers.get(row.table);
    if (!reader) {
      const { table, key } = row;
      reader = new RowReader(this.database, {
        name: `load_one_${table}`,
        table,
        key,
        columns: stateColumns(row),
      });
      this.readers.set(table, reader);
    }
    return reader;
  }

  /** The state in a stream's row. */
  async load<State extends object>(
    tx: Reader,
    organizationId: string,
    aggregate: Aggregate<State, never>,
    id: string,
  ): Promise<Versioned<State>> {
    const states = await this.loadAll(tx, organizationId, aggregate, [id]);
    return states.get(id)!;
  }

  /** The states of several streams by their ids. */
  async loadAll<State extends object>(
    tx: Reader,
    organizationId: string,
    aggregate: Aggregate<State, never>,
    ids: string[],
  ): Promise<Map<string, Versioned<State>>> {
    const found = await loadRows<State>(tx, aggregate.row, organizationId, ids);
    return new Map(ids.map((id) => [id, found.get(id) ?? NEW]));
  }

  /** Which of these ids lead to no record of the organization. */
  async missing(tx: Reader, organizationId: string, ids: string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await tx.query<{ id: string }>({
      name: 'es_missing',
      text: `SELECT DISTINCT wanted.id FROM unnest($2::text[]) AS wanted (id)
              WHERE coalesce((SELECT coalesce(e.ends, false) FROM es_event e
                               WHERE e.organization_id = $1 AND e.stream_id = wanted.id
                               ORDER BY e.version DESC LIMIT 1), true)`,
      values: [organizationId, ids],
    });
    return rows.map(({ id }) => id);
  }

  /** A piece of the organization's feed, upcast to today's shape; see `readOrganizationFeed`. */
  async readOrganization(
    organizationId: string,
    after: Cursor,
    limits: FeedLimits,
    filter: FeedFilter,
    direction?: 'on' | 'back',
  ): Promise<FeedPage> {
    const page = await readOrganizationFeed(this.reads, organizationId, after, limits, filter, direction);
    return { ...page, events: page.events.map((event) => upcast(this.upcasters, event)) };
  }

  /** See `readEndOfFeed`. */
  endOfOrganization(organizationId: string): Promise<Cursor | undefined> {
    return readEndOfFeed(this.database, organizationId);
  }

  /** The events at these places of the organization's streams, in today's shape; see `readPlaces`. */
  async readAt(organizationId: string, places: Place[], room?: number): Promise<StoredEvent[]> {
    const found = await readPlaces(this.database, organizationId, places, room);
    const events = found.map((event) => upcast(this.upcasters, event));
    if (isCutShort(found)) cutShort(events);
    return events;
  }
}
