import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredEvent } from '#kernel/context.js';
import type { Database, Transaction } from '#database/database.js';
import { lockCheckpoint, readCheckpoint, saveCheckpoint } from './checkpoint.js';
import { BEGINNING, type Cursor, cursorAfter, EVENT_COLUMNS, readFeed } from './feed.js';
import type { Projection } from './projection.js';
import { upcast, type Upcasters } from './upcast.js';

const BATCH = 2_000;
const SWAP_TRIES = 200;
const SWAP_PAUSE_MS = 300;
const DEADLOCK_DETECTED = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';

/** Another rebuild or verification of the same projection is under way. */
export class AlreadyRebuilding extends Error {}

/** Whether the projection has a checkpoint of its own (asynchronous) or lives in the appends' transactions (inline). */
export type Kind = 'inline' | 'async';

/** The schema in which a projection's new tables are built; one per projection, so that two may be rebuilt at once. */
const shadowOf = ({ name }: Projection): string => `rebuild_${name}`;

/** The name that a rebuild locks, one per projection. */
export const rebuildLock = shadowOf;

interface Rebuilding {
  database: Database;
  projection: Projection;
  kind: Kind;
  upcasters: Upcasters;
  /** Called after each batch with the number of events read so far. */
  onProgress?: (events: number) => void;
  /** Called when it is known that no other is under way. */
  onStart?: () => void;
  /** Ends it early; the live tables stay as they were. */
  cancelled?: AbortSignal;
}

/** How far the shadow tables have come. */
interface Progress {
  cursor: Cursor;
  count: number;
}

/**
 * Builds a projection from all events beside the live tables and swaps the two in one transaction, while reads and
 * writes go on; gives the number of events. Interrupted, it leaves the live tables as they were; the next run starts
 * over. Throws `AlreadyRebuilding` when one is under way.
 */
export function rebuild(job: Rebuilding): Promise<number> {
  return alone(job, async () => {
    await createShadow(job);
    let progress = await fillShadow(job, { cursor: BEGINNING, count: 0 }, null);
    // A table without statistics would be planned badly until autovacuum comes by.
    for (const table of shadowTables(job.projection)) await job.database.query({ text: `ANALYZE ${table}` });
    for (let attempt = 1; ; attempt++) {
      try {
        return await job.database.transaction((tx) => swap(tx, job, progress));
      } catch (error) {
        const busy = [LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED].includes(
          (error as { code?: string }).code ?? '',
        );
        if (!busy || attempt === SWAP_TRIES) throw error;
      }
      await sleep(SWAP_PAUSE_MS);
      progress = await fillShadow(job, progress, null);
    }
  });
}

/** Runs `work` with the shadow tables complete as of a snapshot that also shows the live tables; drops them afterwards. */
export function withShadow<Result>(
  job: Rebuilding,
  work: (tx: Transaction, shadowSchema: string) => Promise<Result>,
): Promise<Result> {
  const shadow = shadowOf(job.projection);
  const limit = async (reader: Pick<Transaction, 'query'>) =>
    job.kind === 'async' ? readCheckpoint(reader, job.projection) : null;
  return alone(job, async () => {
    try {
      await createShadow(job);
      const progress = await fillShadow(job, { cursor: BEGINNING, count: 0 }, await limit(job.database));
      return await job.database.transaction(async (tx) => {
        await applyRest(tx, job, progress, await limit(tx));
        return work(tx, shadow);
      }, 'BEGIN ISOLATION LEVEL REPEATABLE READ');
    } finally {
      await job.database.query({ text: `DROP SCHEMA IF EXISTS ${shadow} CASCADE` });
    }
  });
}

/** Two at a time would fill one shadow. The lock is its connection's, so it ends with this process, however that ends. */
async function alone<Result>(job: Rebuilding, work: () => Promise<Result>): Promise<Result> {
  const { database, projection } = job;
  const connection = await database.connect();
  try {
    const { rows } = await connection.query<{ alone: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS alone',
      [shadowOf(projection)],
    );
    if (!rows[0]?.alone)
      throw new AlreadyRebuilding(`${projection.name} is being rebuilt or verified already`);
    job.onStart?.();
    return await work();
  } finally {
    await connection.query('SELECT pg_advisory_unlock_all()').catch(() => {});
    connection.release();
  }
}

async function createShadow({ database, projection }: Rebuilding): Promise<void> {
  const shadow = shadowOf(projection);
  await database.transaction(async (tx) => {
    await tx.query({ text: `DROP SCHEMA IF EXISTS ${shadow} CASCADE` });
    await tx.query({ text: `CREATE SCHEMA ${shadow}` });
    for (const table of projection.tables)
      await tx.query({ text: `CREATE TABLE ${shadow}.${table} (LIKE public.${table} INCLUDING ALL)` });
  });
}

/**
 * Applies, batch by batch, what the feed has after `progress` and not after `limit`, up to a batch that is not full:
 * writers that never rest would be chased for ever.
 */
async function fillShadow(job: Rebuilding, progress: Progress, limit: Cursor | null): Promise<Progress> {
  let { cursor, count } = progress;
  for (;;) {
    job.cancelled?.throwIfAborted();
    const events = (await readFeed(job.database, cursor, BATCH)).filter((event) => !isAfter(event, limit));
    await job.database.transaction((tx) => applyToShadow(tx, job, events));
    cursor = cursorAfter(events, cursor);
    count += events.length;
    job.onProgress?.(count);
    if (events.length < BATCH) return { cursor, count };
  }
}

async function swap(tx: Transaction, job: Rebuilding, progress: Progress): Promise<number> {
  const { projection, kind } = job;
  const shadow = shadowOf(projection);
  // Nobody else uses these but autovacuum, which gives way, yet not at once: not while the live tables are locked.
  await lockTables(tx, shadowTables(projection));
  let done: Progress;
  if (kind === 'inline') {
    await lockLiveTables(tx, projection);
    // Every append that has written these tables is committed and visible to the next statement, every other one
    // waits and then finds the new tables under the old names.
    done = await applyRest(tx, job, progress, null);
  } else {
    // Holding the checkpoint keeps the runner away; what it has not read yet it reads into the new tables.
    await lockCheckpoint(tx, projection, 'wait');
    done = await applyRest(tx, job, progress, null);
    await lockLiveTables(tx, projection);
    await saveCheckpoint(tx, projection, done.cursor);
  }
  for (const table of projection.tables) {
    const indexes = await indexNames(tx, table, shadow);
    await tx.query({ text: `DROP TABLE public.${table}` });
    await tx.query({ text: `ALTER TABLE ${shadow}.${table} SET SCHEMA public` });
    for (const { live, copy } of indexes)
      await tx.query({ text: `ALTER INDEX public.${copy} RENAME TO ${live}` });
  }
  await tx.query({ text: `DROP SCHEMA ${shadow} CASCADE` });
  return done.count;
}

/**
 * Keeps everybody else off the live tables. At once in the strongest mode: whoever has read one and comes to write it
 * is let through, while a stronger lock taken later would wait for him, who waits for us. Who holds another of the
 * tables and comes to this one still waits for us: we give up well before PostgreSQL looks for deadlocks
 * (deadlock_timeout, 1 s) and ends a request rather than us.
 */
async function lockLiveTables(tx: Transaction, { tables }: Projection): Promise<void> {
  await tx.query({ text: `SET LOCAL lock_timeout = '${Math.floor(500 / tables.length)}ms'` });
  await lockTables(
    tx,
    tables.map((table) => `public.${table}`),
  );
  await tx.query({ text: 'SET LOCAL lock_timeout = 0' });
}

const lockTables = (tx: Transaction, tables: string[]) =>
  tx.query({ text: `LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE` });

const shadowTables = (projection: Projection): string[] =>
  projection.tables.map((table) => `${shadowOf(projection)}.${table}`);

/** Applies what is visible after `progress`, for inline tables regardless of the watermark: their writers are locked out or unseen. */
async function applyRest(
  tx: Transaction,
  job: Rebuilding,
  { cursor, count }: Progress,
  limit: Cursor | null,
): Promise<Progress> {
  const events =
    job.kind === 'async'
      ? (await readFeed(tx, cursor, 2 ** 31 - 1)).filter((event) => !isAfter(event, limit))
      : await tx.query<StoredEvent>({
          text: `SELECT ${EVENT_COLUMNS} FROM public.es_event WHERE (tx, position) > ($1::text::xid8, $2)
                  ORDER BY es_event.tx, position`,
          values: [cursor.tx, cursor.position],
        });
  await applyToShadow(tx, job, events);
  return { cursor: cursorAfter(events, cursor), count: count + events.length };
}

/** The projection's own unqualified SQL finds the shadow tables first. */
async function applyToShadow(tx: Transaction, job: Rebuilding, events: StoredEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query({ text: `SET LOCAL search_path = ${shadowOf(job.projection)}, public` });
  await job.projection.apply(
    tx,
    events.map((event) => upcast(job.upcasters, event)),
  );
  await tx.query({ text: `SET LOCAL search_path = public` });
}

const isAfter = (event: Cursor, limit: Cursor | null): boolean =>
  limit !== null &&
  (BigInt(event.tx) > BigInt(limit.tx) ||
    (event.tx === limit.tx && BigInt(event.position) > BigInt(limit.position)));

/** Pairs each live index with its copy, whose name LIKE has made up, so that the copy can take over the name. */
async function indexNames(
  tx: Transaction,
  table: string,
  shadow: string,
): Promise<{ live: string; copy: string }[]> {
  return tx.query<{ live: string; copy: string }>({
    text: `WITH i AS (
             SELECT schemaname, indexname,
                    regexp_replace(indexdef, 'INDEX \\S+ ON \\S+', '') AS definition
               FROM pg_indexes WHERE tablename = $1 AND schemaname IN ('public', $2))
           SELECT l.indexname AS live, s.indexname AS copy
             FROM i l JOIN i s ON s.definition = l.definition
            WHERE l.schemaname = 'public' AND s.schemaname = $2 AND l.indexname <> s.indexname`,
    values: [table, shadow],
  });
}
