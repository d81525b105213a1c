import type { QueryRunner } from 'typeorm';
import type { Database } from '#database/database.js';
import { rebuild, type Rebuilding } from './rebuild.js';

type Job = Omit<Rebuilding, 'database'>;

/**
 * For a migration that adds to a read model what events of earlier versions tell, too: has it rebuilt once the program runs,
 * while requests are served. Does nothing where there are no events yet.
 */
export const askForRebuild = (runner: QueryRunner, name: string): Promise<unknown> =>
  runner.query(
    `INSERT INTO pending_rebuild (name) SELECT $1::text WHERE EXISTS (SELECT 1 FROM es_event)
         ON CONFLICT (name) DO NOTHING`,
    [name],
  );

/**
 * Rebuilds those of the read models that migrations have asked for, one after the other. Throws `AlreadyRebuilding` when another
 * process rebuilds one; asking again later finds what is left.
 */
export async function rebuildPending(database: Database, jobs: Job[]): Promise<void> {
  for (const job of jobs) {
    const { name } = job.projection;
    if (!(await isPending(database, name))) continue;
    await rebuild({ ...job, database });
    await database.query({ text: 'DELETE FROM pending_rebuild WHERE name = $1', values: [name] });
  }
}

async function isPending(database: Database, name: string): Promise<boolean> {
  const found = await database.query({ text: 'SELECT FROM pending_rebuild WHERE name = $1', values: [name] });
  return found.length > 0;
}
