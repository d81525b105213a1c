import { Batches } from './batches.js';
import type { Database } from './database.js';
import { isRefusal } from './refusal.js';

/** Rows that one statement reads at most. */
const LARGEST = 64;

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

interface Wanted<Row> {
  organizationId: string;
  id: string;
  resolve: (row: Row | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads rows by their ids, each as it is when its statement begins, after it was asked for. What is asked for while others
 * are being read may share a statement with others.
 */
export class RowReader<Row extends object> {
  private readonly statement: { name: string; text: string };
  private readonly key: keyof Row;
  private readonly batches = new Batches<Wanted<Row>>(
    (waiting) => ({ batch: waiting.slice(0, LARGEST), left: waiting.slice(LARGEST) }),
    (batch) => this.read(batch),
  );

  constructor(
    private readonly database: Database,
    { name, table, key, columns, where }: RowSource,
  ) {
    this.key = key as keyof Row;
    this.statement = {
      name,
      // As in `foundByIds`, yet of several organizations, and with a row of nulls for each that is not there.
      text: `SELECT found.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (organization_id, id, nr)
               LEFT JOIN LATERAL (SELECT ${columns} FROM ${table}
                                   WHERE organization_id = wanted.organization_id AND ${key} = wanted.id
                                     ${where === undefined ? '' : `AND ${where}`} OFFSET 0) found ON true
              ORDER BY nr`,
    };
  }

  /** The row, or undefined when the organization has none with this id. */
  one(organizationId: string, id: string): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      const wanted = { organizationId, id, resolve, reject };
      // A unit of work reads what it has written itself, which nobody else sees yet.
      if (this.database.inUnitOfWork) return void this.read([wanted]);
      this.batches.add(wanted);
    });
  }

  /** Never throws: each is told how it went. Nobody fails because of what another has asked for. */
  private async read(batch: Wanted<Row>[]): Promise<void> {
    try {
      const values = [batch.map(({ organizationId }) => organizationId), batch.map(({ id }) => id)];
      const rows = await this.database.query<Row>({ ...this.statement, values });
      batch.forEach(({ resolve }, index) =>
        resolve(rows[index]![this.key] === null ? undefined : rows[index]),
      );
    } catch (error) {
      if (batch.length === 1 || !isRefusal(error)) for (const { reject } of batch) reject(error);
      else await Promise.all(batch.map((one) => this.read([one])));
    }
  }
}
