import type { Database, Transaction } from '#database/database.js';
import { BEGINNING, type Cursor, cursorAfter, EVENT_COLUMNS, readFeed } from './feed.js';
import type { StoredEvent } from '#kernel/context.js';
import type { Projection } from './projection.js';
import { saveCheckpoint } from './projection-runner.js';
import { upcast, type Upcasters } from './upcast.js';

const BATCH = 2_000;
const SWAP_TRIES = 5;

/** Whether the projection has a checkpoint of its own (asynchronous) or lives in the appends' transactions (inline). */
export type Kind = 'inline' | 'async';

/** The schema in which a projection's new tables are built; one per projection, so that two may be rebuilt at once. */
const shadowOf = ({ name }: Projection): string => `rebuild_${name}`;

interface Rebuilding {
  database: Database;
  projection: Projection;
  kind: Kind;
  upcasters: Upcasters;
  /** Called after each batch with the number of events read so far. */
  onProgress?: (events: number) => void;
}

/**
 * Builds a projection from all events beside the live tables and swaps the two in one transaction, while reads and
 * writes go on. Interrupted, it leaves the live tables as they were; the next run starts over.
 */
export async function rebuild(job: Rebuilding): Promise<number> {
  const { cursor, count } = await buildShadow(job);
  for (let attempt = 1; ; attempt++) {
    try {
      const rest = await job.database.transaction((tx) => swap(tx, job, cursor));
      return count + rest;
    } catch (error) {
      // A writer may hold one of the tables and want another: PostgreSQL then ends one of the two.
      if (attempt === SWAP_TRIES || !['40P01', '55P03'].includes((error as { code?: string }).code ?? ''))
        throw error;
    }
  }
}

/** Runs `work` with the shadow tables complete as of a snapshot that also shows the live tables; drops them afterwards. */
export async function withShadow<Result>(
  job: Rebuilding,
  work: (tx: Transaction, shadowSchema: string) => Promise<Result>,
): Promise<Result> {
  const shadow = shadowOf(job.projection);
  const { cursor } = await buildShadow(job);
  const result = await job.database.transaction(async (tx) => {
    await applyRest(tx, job, cursor, job.kind === 'async' ? await liveCheckpoint(tx, job.projection) : null);
    return work(tx, shadow);
  }, 'BEGIN ISOLATION LEVEL REPEATABLE READ');
  await job.database.query({ text: `DROP SCHEMA ${shadow} CASCADE` });
  return result;
}

async function buildShadow(job: Rebuilding): Promise<{ cursor: Cursor; count: number }> {
  const shadow = shadowOf(job.projection);
  await job.database.transaction(async (tx) => {
    await tx.query({ text: `DROP SCHEMA IF EXISTS ${shadow} CASCADE` });
    await tx.query({ text: `CREATE SCHEMA ${shadow}` });
    for (const table of job.projection.tables)
      await tx.query({ text: `CREATE TABLE ${shadow}.${table} (LIKE public.${table} INCLUDING ALL)` });
  });
  const limit = job.kind === 'async' ? await liveCheckpoint(job.database, job.projection) : null;
  let cursor = BEGINNING;
  let count = 0;
  for (;;) {
    const events = (await readFeed(job.database, cursor, BATCH)).filter((event) => !isAfter(event, limit));
    if (events.length === 0) return { cursor, count };
    await job.database.transaction((tx) => applyToShadow(tx, job, events));
    cursor = cursorAfter(events, cursor);
    job.onProgress?.((count += events.length));
  }
}

async function swap(tx: Transaction, job: Rebuilding, cursor: Cursor): Promise<number> {
  const { projection, kind } = job;
  const shadow = shadowOf(projection);
  await tx.query({ text: `SET LOCAL lock_timeout = '10s'` });
  // Inline: from here on no append can write these tables. Every append that has is committed and visible to the
  // next statement, every other one waits here and then finds the new tables under the old names.
  if (kind === 'inline')
    await tx.query({
      text: `LOCK TABLE ${projection.tables.map((table) => `public.${table}`).join(', ')} IN SHARE ROW EXCLUSIVE MODE`,
    });
  // Async: holding the checkpoint keeps the live runner away; what it has not read yet it reads into the new tables.
  else
    await tx.query({
      text: 'SELECT FROM es_checkpoint WHERE projection = $1 FOR UPDATE',
      values: [projection.name],
    });
  const rest = await applyRest(tx, job, cursor, null);
  for (const table of projection.tables) {
    const indexes = await indexNames(tx, table, shadow);
    await tx.query({ text: `DROP TABLE public.${table}` });
    await tx.query({ text: `ALTER TABLE ${shadow}.${table} SET SCHEMA public` });
    for (const { live, copy } of indexes)
      await tx.query({ text: `ALTER INDEX public.${copy} RENAME TO ${live}` });
  }
  await tx.query({ text: `DROP SCHEMA ${shadow} CASCADE` });
  if (kind === 'async') await saveCheckpoint(tx, projection, rest.cursor);
  return rest.count;
}

/** Applies what is visible after `cursor`, for inline tables regardless of the watermark: their writers are locked out or unseen. */
async function applyRest(
  tx: Transaction,
  job: Rebuilding,
  cursor: Cursor,
  limit: Cursor | null,
): Promise<{ cursor: Cursor; count: number }> {
  const events =
    job.kind === 'async'
      ? (await readFeed(tx, cursor, 2 ** 31 - 1)).filter((event) => !isAfter(event, limit))
      : await tx.query<StoredEvent>({
          text: `SELECT ${EVENT_COLUMNS} FROM public.es_event WHERE (tx, position) > ($1::text::xid8, $2)
                  ORDER BY es_event.tx, position`,
          values: [cursor.tx, cursor.position],
        });
  if (events.length > 0) await applyToShadow(tx, job, events);
  return { cursor: cursorAfter(events, cursor), count: events.length };
}

/** The projection's own unqualified SQL finds the shadow tables first. */
async function applyToShadow(tx: Transaction, job: Rebuilding, events: StoredEvent[]): Promise<void> {
  await tx.query({ text: `SET LOCAL search_path = ${shadowOf(job.projection)}, public` });
  await job.projection.apply(
    tx,
    events.map((event) => upcast(job.upcasters, event)),
  );
  await tx.query({ text: `SET LOCAL search_path = public` });
}

async function liveCheckpoint(tx: Pick<Transaction, 'query'>, projection: Projection): Promise<Cursor> {
  const [row] = await tx.query<Cursor>({
    text: 'SELECT tx::text AS tx, position FROM public.es_checkpoint WHERE projection = $1',
    values: [projection.name],
  });
  return row ?? BEGINNING;
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
