import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import pg from 'pg';

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
    try {
      return (await this.run(statement)) as Row[];
    } catch (error) {
      // From here, so that the stack leads to who asked.
      Error.captureStackTrace(error as Error);
      throw error;
    }
  }

  /** With callbacks: by the driver's promises a list of 50 takes a quarter more time. */
  private run(statement: Statement): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.pool.connect((refusal, client, release) => {
        if (!client) return reject(refusal!);
        // Made here, since the driver copies a query that is given as an object, property by property.
        const query = new pg.Query(statement.text, statement.values, (error, result) => {
          // Not as the pool's own `query`, which closes the connection after any error: conflicts are everyday.
          release(error && (error as pg.DatabaseError).severity !== 'ERROR' ? error : undefined);
          if (error) reject(error);
          else resolve(result.rows);
        });
        client.query(Object.assign(query, { name: statement.name }));
      });
    });
  }

  /** Runs `work` between BEGIN and COMMIT on one connection; an error rolls everything back and is thrown on. */
  async transaction<Result>(work: (tx: Transaction) => Promise<Result>, begin = 'BEGIN'): Promise<Result> {
    const client = await this.pool.connect();
    const tx = new OpenTransaction(client);
    let broken: Error | undefined;
    try {
      const begun = client.query(begin);
      begun.catch(() => {});
      const result = await work(tx).finally(() => (tx.ended = true));
      await begun;
      const { command } = await client.query('COMMIT');
      // This is how PostgreSQL answers when a statement has failed, even though the work went on regardless.
      if (command !== 'COMMIT')
        throw new Error('the transaction was rolled back: one of its statements failed');
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
    // One statement is a transaction by itself.
    if (statements.length === 1) return void (await this.query(statements[0]!));
    const client = await this.pool.connect();
    const failures: Error[] = [];
    let broken: Error | undefined;
    const send = (statement: Statement) =>
      client.query(statement).catch((failure: Error) => void failures.push(failure));
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    // Held back until COMMIT is there too, so that all goes out in one packet.
    stream.cork();
    try {
      const answers = [{ text: 'BEGIN' }, ...statements].map(send);
      // The driver itself refuses a malformed statement, in its next tick: the server, which never sees it, would
      // commit the others.
      await nextTurn();
      const ended = client.query(failures.length === 0 ? 'COMMIT' : 'ROLLBACK');
      stream.uncork();
      await Promise.all([...answers, ended.catch((failure: Error) => failures.push((broken = failure)))]);
      if (failures.length > 0) throw failures[0]!;
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

class OpenTransaction implements Transaction {
  ended = false;

  constructor(private readonly client: pg.PoolClient) {}

  query<Row>(statement: Statement): Promise<Row[]> {
    // A branch of the work that goes on after another has failed must not write outside this transaction.
    if (this.ended) return Promise.reject(new Error('the transaction has ended'));
    const rows = this.client.query(statement).then((result) => result.rows as Row[]);
    // Nobody may be waiting for a pipelined statement when it fails; COMMIT tells in any case.
    rows.catch(() => {});
    return rows;
  }
}
