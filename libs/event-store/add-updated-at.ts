import type { QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';
import { askForRebuild } from './pending-rebuilds.js';
import type { AnyRowTable } from './rows.js';

type Table = Pick<AnyRowTable, 'table' | 'key'>;

/**
 * For a migration: the rows of an aggregate become `stamped`. Until the rebuild that it asks for has found out when they last changed,
 * all count as changed now, so that nobody who asks for what has changed misses one. There is an index for each of the `lists`.
 */
export async function addUpdatedAt(
  runner: QueryRunner,
  { table, key }: Table,
  lists: { name: string; where?: string }[] = [{ name: 'updated' }],
): Promise<void> {
  await runner.query(`ALTER TABLE ${table} ADD COLUMN updated_at timestamptz(6) NOT NULL DEFAULT now()`);
  for (const { name, where } of lists)
    await createIndexes(
      runner,
      `CREATE INDEX ${table}_${name} ON ${table} (organization_id, updated_at, ${key})${where ? ` WHERE ${where}` : ''}`,
    );
  await askForRebuild(runner, table);
}

/** The way back. */
export const dropUpdatedAt = (runner: QueryRunner, { table }: Table): Promise<unknown> =>
  runner.query(`ALTER TABLE ${table} DROP COLUMN updated_at`);
