import { loadModule, parse } from 'libpg-query';
import type { QueryRunner } from 'typeorm';
import { PendingIndexes1795629550000 } from '#database/pending-indexes.migration.js';
import { Cluster1795785000000 } from '#event-store/cluster.migration.js';
import { nodesOf } from '../../test/support/database/one-organization.js';
import { MIGRATIONS } from './schema.js';

/** What a table with many rows is locked by for long. */
const SLOW = [
  /CREATE (?:UNIQUE )?INDEX \w+\s+ON (?:ONLY )?(\w+)/g,
  /ALTER TABLE (\w+)(?:(?!;)[\s\S])* STORED/g,
  /ALTER TABLE (\w+)(?:(?!;)[\s\S])* (?:TYPE|SET NOT NULL|ADD (?:CONSTRAINT|PRIMARY|UNIQUE|FOREIGN|CHECK))\b/g,
  /ALTER TABLE (\w+)(?:(?!;)[\s\S])* DEFAULT (?!now\()\w+\(/g,
  /UPDATE (\w+)\s+SET/g,
];
/** Tables of the configuration, with few rows. */
const SMALL = ['agent'];

const since = (migration: (typeof MIGRATIONS)[number]) =>
  MIGRATIONS.slice(MIGRATIONS.indexOf(migration) + 1).map((later) => [later.name, later] as const);

/** What a migration has a database do whose tables have many rows, or few. */
async function statementsOf(Migration: (typeof MIGRATIONS)[number], haveManyRows = true): Promise<string[]> {
  const statements: string[] = [];
  const query = (text: string) => {
    statements.push(text);
    return Promise.resolve(haveManyRows ? [{}] : []);
  };
  await new Migration().up({ query } as unknown as QueryRunner);
  return statements;
}

describe('a migration since 1.0.0-beta.1', () => {
  it.each(since(PendingIndexes1795629550000))(
    '%s locks no table for long that has many rows',
    async (_name, migration) => {
      const sql = (await statementsOf(migration)).join(';\n');
      const own = [...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table);
      const locked = SLOW.flatMap((pattern) => [...sql.matchAll(pattern)].map(([, table]) => table));
      expect(locked.filter((table) => !own.includes(table) && !SMALL.includes(table!))).toEqual([]);
    },
  );
});

describe('a migration since tables can be distributed', () => {
  it.each(since(Cluster1795785000000))(
    '%s tells a cluster one command at a time, about one object, and what it reads has columns',
    async (_name, migration) => {
      await loadModule();
      for (const text of [...(await statementsOf(migration)), ...(await statementsOf(migration, false))]) {
        const tree = await parse(text);
        const dropped = nodesOf(tree, 'DropStmt').map(({ objects }) => objects.length);
        const columns = nodesOf(tree, 'SelectStmt').map(
          ({ targetList, valuesLists }) => (targetList ?? valuesLists ?? []).length,
        );
        expect([text, tree.stmts?.length, Math.max(1, ...dropped), Math.min(1, ...columns)]).toEqual([
          text,
          1,
          1,
          1,
        ]);
      }
    },
  );
});
