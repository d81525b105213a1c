import type { Database } from './database.js';

/** How the schema compares with this version's migrations. */
export interface SchemaState {
  /** Migrations of this version that the database lacks, in order. */
  missing: string[];
  /** Migrations in the database that this version does not know: a newer version ran them. */
  unknown: string[];
}

export async function schemaState(database: Database): Promise<SchemaState> {
  const known = database.source.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const had = await migrationsOf(database);
  return {
    missing: known.filter((name) => !had.includes(name)),
    unknown: had.filter((name) => !known.includes(name)),
  };
}

async function migrationsOf(database: Database): Promise<string[]> {
  const [table] = await database.query<{ exists: boolean }>({
    text: `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  });
  if (!table!.exists) return [];
  const rows = await database.query<{ name: string }>({ text: 'SELECT name FROM migrations ORDER BY id' });
  return rows.map(({ name }) => name);
}
