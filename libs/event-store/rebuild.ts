import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredEvent } from '#kernel/context.js';
import { piecesOf } from '#kernel/size.js';
import type { Database } from '#database/database.js';
import { isDeadlock, isHeldUp } from '#database/refusal.js';
import type { Reader, Transaction } from '#database/statements/statement.js';
import { lockCheckpoint, saveCheckpoint } from './checkpoint.js';
import {
  ABOVE_ALL,
  BEGINNING,
  type Cursor,
  cursorAfter,
  FeedBatches,
  isAfter,
  readWatermark,
} from './feed.js';
import { fillInBulk } from './fill-in-bulk.js';
import type { Projection } from './projection.js';
import { RebuildMeter, type RebuildProgress } from './rebuild-meter.js';
import { createShadow, replaceLive, shadowOf, shadowTables } from './shadow.js';
import { upcast, type Upcasters } from './upcast.js';

const BATCH = 2_000;
const LOCK_TRIES = 200;
const LOCK_PAUSE_MS = 300;

/** Another rebuild or verification of the same projection is under way. */
export class AlreadyRebuilding extends Error {}

/** Whether the projection has its own checkpoint (async) or is written in the appends' transactions (inline). */
export type Kind = 'inline' | 'async';

/** The name of the lock of a projection's rebuild. */
export const rebuildLock = shadowOf;

export interface Rebuilding {
  database: Database;
  projection: Projection;
  kind: Kind;
  upcasters: Upcasters;
  /** Called after each step. */
  onProgress?: (progress: RebuildProgress) => void;
  /** Called once it is certain that no other is under way. */
  onStart?: () => void;
  /** Aborts it; the live tables stay as they were. */
  cancelled?: AbortSignal;
}

/** How far the shadow tables have come. */
interface Progress {
  cursor: Cursor;
  count: number;
}

/**
 * Builds a projection from all events beside the live tables and swaps the two in one transaction, while reads and writes
 * go on. Gives the number of events. If interrupted, it leaves the live tables as they were, and the next run starts over.
 * Throws `AlreadyRebuilding` when one is under way.
 */
export function rebuild(job: Rebuilding): Promise<number> {
  return alone(job, async (run) => {
    const progress = await fromNothing(run, await endOfFeed(job.database));
    return untilNotBusy(async () => {
      await fillShadow(run, progress, null);
      return job.database.transaction((tx) => swap(tx, run, progress));
    });
  });
}

/** Runs `work` again when it could not get its locks. */
export async function untilNotBusy<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isBusy = isHeldUp(error) || isDeadlock(error);
      if (!isBusy || attempt === LOCK_TRIES) throw error;
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

/** A job and its meter. */
interface Run extends Rebuilding {
  meter: RebuildMeter;
}

/**
 * Runs `work` under the projection's lock, since two at a time would fill the same shadow tables. The lock belongs to a
 * connection, so it ends with this process, however that ends.
 */
export async function alone<Result>(job: Rebuilding, work: (run: Run) => Promise<Result>): Promise<Result> {
  const { database, projection } = job;
  const connection = await database.connect();
  const lost = new AbortController();
  connection.once('end', () => lost.abort(new Error(`${projection.name}: the lock of its rebuild is lost`)));
  try {
    // It is idle for as long as the rebuild lasts.
    await connection.query('SET idle_session_timeout = 0');
    const { rows } = await connection.query<{ alone: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS alone',
      [rebuildLock(projection)],
    );
    if (!rows[0]?.alone)
      throw new AlreadyRebuilding(`${projection.name} is being rebuilt or verified already`);
    job.onStart?.();
    const meter = await RebuildMeter.start(database, projection, job.onProgress);
    const cancelled = job.cancelled ? AbortSignal.any([job.cancelled, lost.signal]) : lost.signal;
    return await work({ ...job, cancelled, meter }).finally(() => meter.end());
  } finally {
    await connection.end();
  }
}

/** Fills new shadow tables up to `end`, in bulk if the projection can; gives how far they have come. */
export async function fromNothing(run: Run, end: Cursor): Promise<Progress> {
  const { database, projection } = run;
  await database.transaction((tx) => createShadow(tx, projection, database));
  const progress = { cursor: BEGINNING, count: 0 };
  if (projection.bulk) Object.assign(progress, { cursor: end, count: await fillInBulk(run, end) });
  else await fillShadow(run, progress, end);
  await run.meter.allRead();
  const tables = shadowTables(projection);
  await Promise.all([vacuum(database, tables), vacuum(database, tables)]);
  return progress;
}

/**
 * Vacuums tables until none is left. Without statistics and a visibility map they would be read badly until autovacuum
 * comes.
 */
async function vacuum(database: Database, tables: string[]): Promise<void> {
  for (let table; (table = tables.shift());) await database.query({ text: `VACUUM (ANALYZE) ${table}` });
}

/** The cursor after everything that is safe to read. */
export const endOfFeed = async (database: Database): Promise<Cursor> => ({
  tx: await readWatermark(database),
  position: BEGINNING.position,
});

/**
 * Applies the feed after `progress` up to `limit`. Each batch has a transaction of its own, after which `progress` moves:
 * so no batch is applied twice when a later one fails and is tried again.
 */
export async function fillShadow(run: Run, progress: Progress, limit: Cursor | null): Promise<void> {
  const { database, meter } = run;
  for await (const events of batchesAfter(progress.cursor, limit, database, () => readWatermark(database))) {
    run.cancelled?.throwIfAborted();
    await database.transaction((tx) => applyToShadow(tx, run, events));
    Object.assign(progress, advanced(progress, events));
    await meter.read(events.length);
  }
}

/**
 * The events after `cursor` up to `limit`, ending with a batch that is not full: otherwise it would chase busy writers for
 * ever.
 */
async function* batchesAfter(
  cursor: Cursor,
  limit: Cursor | null,
  reader: Reader,
  watermark: () => Promise<string>,
): AsyncGenerator<StoredEvent[]> {
  const batches = new FeedBatches(BATCH);
  for (;;) {
    const read = await batches.read(reader, cursor, await watermark());
    const events = read.events.filter((event) => !limit || !isAfter(event, limit));
    yield events;
    if (read.isLast || events.length < read.events.length) return;
    cursor = cursorAfter(events, cursor);
  }
}

const advanced = ({ cursor, count }: Progress, events: StoredEvent[]): Progress => ({
  cursor: cursorAfter(events, cursor),
  count: count + events.length,
});

/** A cluster changes tables on the one connection to each node that has worked on them in the same transaction. */
const onOneConnection = { text: `SET LOCAL citus.multi_shard_modify_mode = 'sequential'` };

async function swap(tx: Transaction, job: Rebuilding, progress: Progress): Promise<number> {
  const { projection, kind } = job;
  if (job.database.isDistributed) await tx.query(onOneConnection);
  // Only autovacuum uses these tables, too. It gives way, but not at once: so lock them before the live ones.
  await lockTables(tx, shadowTables(projection));
  let done: Progress;
  if (kind === 'inline') {
    await lockLiveTables(tx, projection);
    // Every append that wrote these tables is committed and visible to the next statement. Every other one waits, then
    // finds the new tables under the old names.
    done = await applyRest(tx, job, progress, null);
  } else {
    // Holding the checkpoint keeps the runner away: what it has not read yet it will read into the new tables.
    await lockCheckpoint(tx, projection, 'wait');
    done = await applyRest(tx, job, progress, null);
    await lockLiveTables(tx, projection);
    await saveCheckpoint(tx, projection, done.cursor);
  }
  job.cancelled?.throwIfAborted();
  await replaceLive(tx, projection);
  return done.count;
}

/**
 * Locks everybody else out of the live tables, at once in the strongest mode: a transaction that has read one and comes to
 * write it is let through. After a weaker lock it would wait for us, and our stronger lock for it. A transaction that holds
 * another of the tables still waits for us: so we give up well before PostgreSQL looks for deadlocks (deadlock_timeout, 1
 * s) and ends a request rather than us.
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

/** Applies what is visible after `progress`. Inline tables need no watermark: their writers are locked out or not visible. */
export async function applyRest(
  tx: Transaction,
  job: Rebuilding,
  progress: Progress,
  limit: Cursor | null,
): Promise<Progress> {
  const watermark = job.kind === 'async' ? await readWatermark(tx) : ABOVE_ALL;
  for await (const events of batchesAfter(progress.cursor, limit, tx, () => Promise.resolve(watermark))) {
    await applyToShadow(tx, job, events);
    progress = advanced(progress, events);
  }
  return progress;
}

/** A schema that cannot be seen is passed over without a word: the live tables would be written, and the shadow left empty. */
async function requireShadow(
  tx: Transaction,
  { tables: [table] }: Projection,
  shadow: string,
): Promise<void> {
  const [found] = await tx.query<{ is_shadow: boolean }>({
    text: 'SELECT to_regclass($1) = to_regclass($2) AS is_shadow',
    values: [table, `${shadow}.${table}`],
  });
  if (!found!.is_shadow) throw new Error(`${shadow}.${table} is not there any more`);
}

/** Runs `apply` with the shadow schema first in the search path, so that its unqualified SQL finds the shadow tables. */
async function applyToShadow(tx: Transaction, job: Rebuilding, events: StoredEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query({ text: `SET LOCAL search_path = ${shadowOf(job.projection)}, public` });
  await requireShadow(tx, job.projection, shadowOf(job.projection));
  for (const piece of piecesOf(events))
    await job.projection.apply(
      tx,
      piece.map((event) => upcast(job.upcasters, event)),
    );
  await tx.query({ text: `SET LOCAL search_path = public` });
}
