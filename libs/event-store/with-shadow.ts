import type { Database } from '#database/database.js';
import type { Reader, Transaction } from '#database/statements/statement.js';
import { lockCheckpoint, readCheckpoint } from './checkpoint.js';
import {
  alone,
  applyRest,
  endOfFeed,
  fillShadow,
  fromNothing,
  type Rebuilding,
  untilNotBusy,
} from './rebuild.js';
import { dropShadow, shadowOf } from './shadow.js';

/**
 * Runs `work` in a snapshot with the live tables and the shadow tables complete up to it; drops the shadow tables
 * afterwards. The snapshot only reads: a writer draws a transaction id and would hold back the feed for as long as `work`
 * takes.
 */
export function withShadow<Result>(
  job: Rebuilding,
  work: (tx: Reader, shadowSchema: string) => Promise<Result>,
): Promise<Result> {
  const limit = async (reader: Reader) =>
    job.kind === 'async' ? readCheckpoint(reader, job.projection) : null;
  return alone(job, async (run) => {
    try {
      const first = await limit(job.database);
      let progress = await fromNothing(run, first ?? (await endOfFeed(job.database)));
      const compared = await untilNotBusy(async () => {
        await fillShadow(run, progress, first);
        return whileStill(job, async (holder) => {
          const end = await limit(holder);
          progress = await job.database.transaction((tx) => applyRest(tx, run, progress, end));
          run.cancelled?.throwIfAborted();
          return inSnapshot(job.database, (tx) => work(tx, shadowOf(job.projection)));
        });
      });
      return await compared.result;
    } finally {
      await dropShadow(job.database, job.projection);
    }
  });
}

/** Runs `work` while nothing is appended or, if the projection has a checkpoint, while that does not move. */
function whileStill<Result>(
  job: Rebuilding,
  work: (holder: Transaction) => Promise<Result>,
): Promise<Result> {
  return job.database.transaction(async (holder) => {
    if (job.kind === 'async') await lockCheckpoint(holder, job.projection, 'wait');
    else {
      // We wait for appends under way, and all others wait for us, so not for long. Autovacuum gives way to a waiter after
      // deadlock_timeout, a second.
      await holder.query({ text: `SET LOCAL lock_timeout = '2s'` });
      await holder.query({ text: 'LOCK TABLE es_event IN SHARE MODE' });
    }
    return work(holder);
  });
}

/** Begins `work` in a snapshot of this moment; resolves when the snapshot is taken, with the promise of the result. */
function inSnapshot<Result>(
  database: Database,
  work: (tx: Reader) => Promise<Result>,
): Promise<{ result: Promise<Result> }> {
  return new Promise((taken, failed) => {
    const result = database.snapshot('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (tx) => {
      if (database.isDistributed) await snapshotOfEachNode(tx);
      else await tx.query({ text: 'SELECT' });
      taken({ result });
      return work(tx);
    });
    result.catch(failed);
  });
}

/** Takes the snapshot of every node, which has one for each connection to it: so there is only one. */
async function snapshotOfEachNode(tx: Reader): Promise<void> {
  await tx.query({ text: 'SET LOCAL citus.max_adaptive_executor_pool_size = 1' });
  await tx.query({ text: 'SELECT organization_id FROM es_line' });
}
