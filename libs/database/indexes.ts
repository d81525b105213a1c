import type { Client } from 'pg';
import type { QueryRunner } from 'typeorm';

/** Writers of a table with more rows would wait too long for an index that is made at once. */
const MANY = 10_000;
const INDEX = /^CREATE INDEX (\w+)\s+ON (\w+)/;

/**
 * For a migration: makes indexes, and puts them in the place of those with the same names. `statements` are `CREATE INDEX name ON
 * table …`, separated by semicolons. Where a table has many rows, its indexes are made after all migrations, while requests are
 * served (`makePendingIndexes`).
 */
export async function createIndexes(runner: QueryRunner, statements: string): Promise<void> {
  for (const statement of statements.split(';').map((text) => text.trim())) {
    if (statement === '') continue;
    const [, name, table] = INDEX.exec(statement) ?? [];
    if (name === undefined || table === undefined) throw new Error(`This makes no index: ${statement}`);
    if (await isLarge(runner, table)) await defer(runner, name, statement);
    else {
      await runner.query(`DROP INDEX IF EXISTS ${name}`);
      await runner.query(statement);
    }
  }
}

/** For a migration: drops indexes of a table; not before those that `createIndexes` made before are there. */
export async function dropIndexes(runner: QueryRunner, table: string, names: string[]): Promise<void> {
  const isDeferred = await isLarge(runner, table);
  for (const name of names)
    if (isDeferred) await defer(runner, name, null);
    else await runner.query(`DROP INDEX IF EXISTS ${name}`);
}

async function isLarge(runner: QueryRunner, table: string): Promise<boolean> {
  const found = (await runner.query(`SELECT 1 FROM ${table} OFFSET ${MANY} LIMIT 1`)) as unknown[];
  return found.length > 0;
}

const defer = (runner: QueryRunner, name: string, statement: string | null): Promise<unknown> =>
  runner.query('INSERT INTO pending_index (name, statement) VALUES ($1, $2)', [name, statement]);

interface Pending {
  nr: string;
  name: string;
  statement: string | null;
}

/**
 * Makes the indexes that migrations have left for later, one by one, while their tables are read and written. After an interruption it
 * goes on with what is left.
 */
export async function makePendingIndexes(client: Client): Promise<void> {
  const { rows } = await client.query<Pending>('SELECT nr, name, statement FROM pending_index ORDER BY nr');
  for (const { nr, name, statement } of rows) {
    if (statement !== null) {
      // What an interrupted attempt has left is no use.
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}_new`);
      await client.query(statement.replace(/^CREATE INDEX \w+/, `CREATE INDEX CONCURRENTLY ${name}_new`));
    }
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    if (statement !== null) await client.query(`ALTER INDEX ${name}_new RENAME TO ${name}`);
    await client.query('DELETE FROM pending_index WHERE nr = $1', [nr]);
  }
}
