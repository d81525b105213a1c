import { foundByIds } from '../by-ids.js';
import type { Database } from '../database.js';
import { isRefusal } from '../refusal.js';
import type { Replica } from '../replicas/replica.js';
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

interface Asked<Row> {
  id: string;
  resolve: (row: Row | undefined) => void;
  reject: (error: unknown) => void;
}

type Query<Row> = (statement: Statement) => Promise<Row[]>;

/**
 * Reads rows by id, each as it is when its statement begins, which is after the call. What one turn of the event loop asks of an
 * organization is one statement, as in a data loader (https://github.com/graphql/dataloader), but nothing is remembered.
 */
export class RowReader<Row extends object> {
  private readonly statement: Pick<Statement, 'name' | 'text'>;
  private readonly key: string;
  /** What this turn has asked for, by the server that it may be read from (null: the primary) and organization. */
  private asked = new Map<Replica | null, Map<string, Asked<Row>[]>>();

  constructor(
    private readonly database: Database,
    { name, table, key, columns, where }: RowSource,
  ) {
    this.key = key;
    this.statement = { name, text: `SELECT found.* FROM ${foundByIds(table, key, columns, where)}` };
  }

  /** The row, or undefined when the organization has none with this id. */
  one(organizationId: string, id: string): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      const asked = { id, resolve, reject };
      // A unit of work sees what it has written itself, so it reads for itself.
      if (this.database.inUnitOfWork)
        return void this.read((statement) => this.database.query(statement), organizationId, [asked]);
      const { replica } = this.database;
      if (replica) void replica.then((chosen) => this.ask(chosen, organizationId, asked));
      else this.ask(null, organizationId, asked);
    });
  }

  private ask(replica: Replica | null, organizationId: string, asked: Asked<Row>): void {
    if (this.asked.size === 0) setImmediate(() => this.readAll());
    const askedThere = this.asked.get(replica) ?? new Map<string, Asked<Row>[]>();
    this.asked.set(replica, askedThere);
    const others = askedThere.get(organizationId);
    if (others) others.push(asked);
    else askedThere.set(organizationId, [asked]);
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

  private readAll(): void {
    const { asked } = this;
    this.asked = new Map();
    for (const [replica, askedThere] of asked) {
      const query: Query<Row> = (statement) => this.database.queryOn(replica, statement);
      for (const [organizationId, own] of askedThere) void this.read(query, organizationId, own);
    }
  }

  /** Never throws: each is told how it went. None fails because of another. */
  private async read(query: Query<Row>, organizationId: string, asked: Asked<Row>[]): Promise<void> {
    try {
      const ids = [...new Set(asked.map(({ id }) => id))];
      const rows = await query({ ...this.statement, values: [organizationId, ids] });
      const byId = new Map(rows.map((row) => [(row as Record<string, unknown>)[this.key], row]));
      for (const { id, resolve } of asked) resolve(byId.get(id));
    } catch (error) {
      if (asked.length === 1 || !isRefusal(error)) for (const { reject } of asked) reject(error);
      else await Promise.all(asked.map((one) => this.read(query, organizationId, [one])));
    }
  }
}
