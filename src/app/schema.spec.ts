import type { QueryRunner } from 'typeorm';
import { PendingIndexes1795629550000 } from '#database/pending-indexes.migration.js';
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

const later = MIGRATIONS.slice(MIGRATIONS.indexOf(PendingIndexes1795629550000) + 1);

/** What a migration has a database do whose tables all have many rows. */
async function statementsOf(Migration: (typeof MIGRATIONS)[number]): Promise<string> {
  const statements: string[] = [];
  const query = (text: string) => {
    statements.push(text);
    return Promise.resolve([{}]);
  };
  await new Migration().up({ query } as unknown as QueryRunner);
  return statements.join(';\n');
}

describe('a migration since 1.0.0-beta.1', () => {
  it.each(later.map((migration) => [migration.name, migration] as const))(
    '%s locks no table for long that has many rows',
    async (_name, migration) => {
      const sql = await statementsOf(migration);
      const own = [...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table);
      const locked = SLOW.flatMap((pattern) => [...sql.matchAll(pattern)].map(([, table]) => table));
      expect(locked.filter((table) => !own.includes(table) && !SMALL.includes(table!))).toEqual([]);
    },
  );
});
