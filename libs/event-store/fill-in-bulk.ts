import { copyLines } from '#database/copy.js';
import type { Database } from '#database/database.js';
import { LARGEST_PIECE, piecesOf } from '#kernel/size.js';
import type { OrganizationBulk, TableRows } from './bulk.js';
import type { Cursor } from './feed.js';
import type { Projection } from './projection.js';
import type { RebuildMeter } from './rebuild-meter.js';
import { shadowOf } from './shadow.js';
import { upcast, type Upcasters } from './upcast.js';
import { wholeStreams } from './whole-streams.js';

/** Rows of a transaction, and tables written at once: few, so that each transaction is short, since it holds back the feed. */
const BATCH = 10_000;
const AT_ONCE = 3;

interface Job {
  database: Database;
  projection: Projection;
  upcasters: Upcasters;
  meter: RebuildMeter;
  cancelled?: AbortSignal;
}

/** Fills a projection's shadow tables from all its streams up to `end`; gives the number of events. */
export async function fillInBulk(job: Job, end: Cursor): Promise<number> {
  const { database, projection, upcasters, meter, cancelled } = job;
  const target = new ShadowTables(database, projection);
  let count = 0;
  let current: { organizationId: string; build: OrganizationBulk } | undefined;
  for await (const { organizationId, streams } of wholeStreams(database, projection, end)) {
    cancelled?.throwIfAborted();
    if (current?.organizationId !== organizationId) {
      if (current) await target.write(current.build.end());
      current = { organizationId, build: await projection.bulk!.begin(database, organizationId) };
    }
    const events = streams.reduce((sum, { length }) => sum + length, 0);
    await target.write(
      current.build.add(streams.map((stream) => stream.map((event) => upcast(upcasters, event)))),
    );
    await meter.read(events);
    count += events;
  }
  if (current) await target.write(current.build.end());
  await target.flush();
  return count;
}

/**
 * Gathers rows, so that many small organizations do not take as many statements, and writes tables while others are being
 * built.
 */
class ShadowTables {
  private readonly gathered = new Map<string, Gathered>();
  /** Writes under way, by table. */
  private readonly writing = new Map<string, Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly projection: Projection,
  ) {}

  /** Resolves when writing every full batch has begun. Tables are written side by side, each one batch at a time. */
  async write(parts: TableRows[]): Promise<void> {
    await Promise.all(parts.map((part) => this.writeRows(part)));
  }

  async flush(): Promise<void> {
    for (const rest of [...this.gathered.values()]) await this.begin(rest);
    await Promise.all(this.writing.values());
  }

  private async writeRows({ table, columns, rows }: TableRows): Promise<void> {
    for (const some of this.parts(rows)) {
      const known = this.gathered.get(table) ?? { table, columns, lines: [], count: 0, bytes: 0 };
      this.gathered.set(table, known);
      // Converted at once, so that the rows can be freed: long-lived objects cost the garbage collector much.
      const lines = copyLines(columns, some);
      known.lines.push(lines);
      known.count += some.length;
      known.bytes += lines.length;
      if (known.count >= BATCH || known.bytes >= LARGEST_PIECE) await this.begin(known);
    }
  }

  private *parts(rows: object[]): Generator<object[]> {
    for (let from = 0; from < rows.length; from += BATCH) yield* piecesOf(rows.slice(from, from + BATCH));
  }

  /** Begins to write these rows once earlier ones of the table are written and few other tables are being written. */
  private async begin({ table, columns, lines }: Gathered): Promise<void> {
    this.gathered.delete(table);
    while (this.writing.has(table) || this.writing.size >= AT_ONCE)
      await (this.writing.get(table) ?? Promise.race(this.writing.values()));
    const written = this.database
      .copy(`${shadowOf(this.projection)}.${table}`, columns, lines)
      .then(() => void this.writing.delete(table));
    // It may fail with nobody awaiting it; the next caller gets the error.
    written.catch(() => {});
    this.writing.set(table, written);
  }
}

interface Gathered {
  table: string;
  columns: readonly string[];
  lines: Buffer[];
  count: number;
  bytes: number;
}
