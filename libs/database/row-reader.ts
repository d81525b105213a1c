import type { Database } from './database.js';
import { isRefusal } from './refusal.js';

/** Statements of a reader that run at the same time. */
const LANES = 2;
/** Rows that one statement reads at most. */
const LARGEST = 64;

/** A table whose primary key is (organization_id, key), and what of it is read. */
export interface RowSource {
  /** Of the statement, one for each set of columns. */
  name: string;
  table: string;
  key: string;
  columns: string;
}

interface Wanted<Row> {
  organizationId: string;
  id: string;
  resolve: (row: Row | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads rows by their ids, each as it is when its statement begins, after it was asked for. What is asked for while others
 * are being read waits for them and then shares one statement: under load most of such a read's cost is that of
 * its statement. Nothing waits for company.
 */
export class RowReader<Row extends object> {
  private readonly statement: { name: string; text: string };
  private readonly key: keyof Row;
  private waiting: Wanted<Row>[] = [];
  private running = 0;

  constructor(
    private readonly database: Database,
    { name, table, key, columns }: RowSource,
  ) {
    this.key = key as keyof Row;
    this.statement = {
      name,
      // As in `foundByIds`, yet of several organizations, and with a row of nulls for each that is not there.
      text: `SELECT found.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (organization_id, id, nr)
               LEFT JOIN LATERAL (SELECT ${columns} FROM ${table}
                                   WHERE organization_id = wanted.organization_id AND ${key} = wanted.id OFFSET 0) found ON true
              ORDER BY nr`,
    };
  }

  /** The row, or undefined when the organization has none with this id. */
  one(organizationId: string, id: string): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      const wanted = { organizationId, id, resolve, reject };
      // A unit of work reads what it has written itself, which nobody else sees yet.
      if (this.database.inUnitOfWork) return void this.read([wanted]);
      this.waiting.push(wanted);
      this.start();
    });
  }

  private start(): void {
    while (this.running < LANES && this.waiting.length > 0) {
      this.running++;
      void this.read(this.waiting.splice(0, LARGEST)).finally(() => {
        this.running--;
        this.start();
      });
    }
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
