import type pg from 'pg';
import { OpenTransaction } from './open-transaction.js';
import { isConsequence, isRefusal } from './refusal.js';
import { type Answered, queryOf, streamOf } from './statements/driver.js';
import type { Reader, Statement } from './statements/statement.js';

/** Runs one statement on any connection of a pool. */
export function run(pool: pg.Pool, statement: Statement): Promise<object[]> {
  return new Promise((resolve, reject) => {
    pool.connect((refusal, client, release) => {
      if (!client) return reject(refusal!);
      const answered: Answered = (error, rows) => {
        // The pool's own `query` closes the connection after any error, but conflicts are everyday.
        release(error && !isRefusal(error) ? error : undefined);
        if (error) reject(error);
        else resolve(rows);
      };
      client.query(queryOf(statement, answered));
    });
  });
}

/** See `Database.snapshot`. */
export async function snapshot<Result>(
  pool: pg.Pool,
  begin: string,
  read: (tx: Reader) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const tx = new OpenTransaction(client, begin);
  try {
    return await read(tx);
  } catch (error) {
    throw isConsequence(error) ? (tx.failure ?? error) : error;
  } finally {
    tx.end();
    const ended = client.query('COMMIT');
    ended.then(
      () => client.release(),
      (failure: Error) => client.release(failure),
    );
  }
}

/** Cuts all connections of a pool at once: statements that wait on them fail as when a connection is lost. */
export function cutConnections(pool: pg.Pool): void {
  const { _clients: clients } = pool as unknown as { _clients: pg.PoolClient[] };
  for (const client of [...clients]) cut(client);
}

/** The same for one connection. */
export function cut(client: pg.ClientBase): void {
  streamOf(client).destroy(Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' }));
}
