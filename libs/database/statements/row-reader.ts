import type { Database } from '../database.js';
import type { Statement } from './statement.js';

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

/**
 * Reads rows by id, each as it is when its statement begins, which is after the call. Reads that are asked for while others
 * are under way may share a statement.
 */
export class RowReader<Row extends object> {
  private readonly statement: Pick<Statement, 'name' | 'text' | 'share'>;

  constructor(
    private readonly database: Database,
    { name, table, key, columns, where }: RowSource,
  ) {
    this.statement = {
      name,
      text: `SELECT ${columns} FROM ${table} WHERE organization_id = $1 AND ${key} = $2${where === undefined ? '' : ` AND ${where}`}`,
      share: { types: ['text', 'text'] },
    };
  }

  /** The row, or undefined when the organization has none with this id. */
  async one(organizationId: string, id: string): Promise<Row | undefined> {
    const [row] = await this.database.query<Row>({ values: [organizationId, id], ...this.statement });
    return row;
  }
}
