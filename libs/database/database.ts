import type { DataSource } from 'typeorm';
import type pg from 'pg';

/** One SQL statement; a `name` makes PostgreSQL keep its plan on the connection. */
export interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
}

/** A transaction in progress. Statements issued without awaiting are sent at once (pipelined) and run in order. */
export interface Transaction {
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
}

/** The one connection pool of a process: TypeORM's, used directly where a statement should be prepared or pipelined. */
export class Database {
  private readonly pool: pg.Pool;

  constructor(readonly source: DataSource) {
    this.pool = (source.driver as unknown as { master: pg.Pool }).master;
  }

  /** Runs one statement on any connection. */
  async query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]> {
    return (await this.pool.query(statement)).rows as Row[];
  }

  /** Runs `work` between BEGIN and COMMIT on one connection; an error rolls everything back and is thrown on. */
  async transaction<Result>(work: (tx: Transaction) => Promise<Result>, begin = 'BEGIN'): Promise<Result> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      const begun = client.query(begin);
      begun.catch(() => {});
      const result = await work(asTransaction(client));
      await begun;
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // A connection that cannot roll back must not go back to the pool with an open transaction.
      await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /**
   * Runs all statements as one transaction in one network round trip. After the first error PostgreSQL refuses
   * the rest and turns COMMIT into ROLLBACK; that first error is thrown.
   */
  async atomically(statements: Statement[]): Promise<void> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      const answers = await Promise.allSettled([
        client.query('BEGIN'),
        ...statements.map((statement) => client.query(statement)),
        client.query('COMMIT'),
      ]);
      const failed = answers.find((answer) => answer.status === 'rejected');
      if (answers.at(-1)?.status === 'rejected') broken = failed?.reason as Error;
      if (failed) throw failed.reason as Error;
    } finally {
      client.release(broken);
    }
  }

  /** A connection of its own for session state such as advisory locks; the caller releases it. */
  connect(): Promise<pg.PoolClient> {
    return this.pool.connect();
  }

  async close(): Promise<void> {
    await this.source.destroy();
  }
}

function asTransaction(client: pg.PoolClient): Transaction {
  return {
    async query<Row>(statement: Statement) {
      return (await client.query(statement)).rows as Row[];
    },
  };
}
