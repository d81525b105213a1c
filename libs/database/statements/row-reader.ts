import { foundByIds } from '../by-ids.js';
import type { Database } from '../database.js';
import { Loader } from './loader.js';
import { isCutShort, type Statement } from './statement.js';

/** A table with a unique index on (organization_id, key), and the columns to read, including the key. */
export interface RowSource {
  /** The statement's name; another one for each set of columns. */
  name: string;
  table: string;
  key: string;
  columns: string;
  /** The condition of a partial index. */
  where?: string;
}

interface RowKey {
  organizationId: string;
  id: string;
}

/** Reads rows by id, together with others of the same time (see `Loader`). */
export class RowReader<Row extends object> {
  private readonly statement: Pick<Statement, 'name' | 'text'>;
  private readonly loader: Loader<RowKey, Row | undefined>;

  constructor(
    private readonly database: Database,
    { name, table, key, columns, where }: RowSource,
  ) {
    this.statement = { name, text: `SELECT found.* FROM ${foundByIds(table, key, columns, where)}` };
    this.loader = new Loader(database, async (query, keys) => {
      const [{ organizationId }] = keys as [RowKey];
      const ids = [...new Set(keys.map(({ id }) => id))];
      const rows = await query<Row>({ ...this.statement, values: [organizationId, ids] });
      const byId = new Map(rows.map((row) => [(row as Record<string, unknown>)[key], row]));
      return ({ id }) => byId.get(id);
    });
  }

  /** The row, or undefined when the organization has none with this id. */
  one(organizationId: string, id: string): Promise<Row | undefined> {
    return this.loader.one(organizationId, { organizationId, id });
  }

  /** The rows with these ids, as far as there is room for them in bytes; `isWhole` is false when there was not for all. */
  async within(
    room: number,
    organizationId: string,
    ids: string[],
  ): Promise<{ rows: Row[]; isWhole: boolean }> {
    const rows = await this.database.query<Row>({ ...this.statement, values: [organizationId, ids], room });
    return { rows, isWhole: !isCutShort(rows) };
  }
}
