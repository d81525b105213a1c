import type { Database } from './database.js';
import type { Statement } from './statement.js';

/** A table with a unique index on (organization_id, key), and what of it is read: the key, too. */
export interface RowSource {
  /** Of the statement, one for each set of columns. */
  name: string;
  table: string;
  key: string;
  columns: string;
  /** The condition of the index, where it is a partial one. */
  where?: string;
}

/**
 * Reads rows by their ids, each as it is when its statement begins, after it was asked for. What is asked for while others
 * are being read may share a statement with others.
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
