import type { Database } from '../database.js';
import { Loader } from './loader.js';
import type { Reader, Statement } from './statement.js';

/** Reads once what is asked for at the same time with the same text and values (see `Loader`). The rows are shared: change none. */
export class SameReads implements Reader {
  private readonly loader: Loader<Statement, unknown[]>;

  constructor(private readonly database: Database) {
    this.loader = new Loader(database, async (query, [statement]) => {
      const rows = await query(statement!);
      return () => rows;
    });
  }

  get isDistributed(): boolean {
    return this.database.isDistributed;
  }

  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]> {
    const { name, text, values, room } = statement;
    return this.loader.one(JSON.stringify([name ?? text, values, room]), statement) as Promise<Row[]>;
  }
}
