import type { EntityManager } from 'typeorm';
import type { Statement, Transaction } from './statements/statement.js';

/** The transaction of an entity manager, for statements of ours; one at a time, in the order in which they are asked for. */
export function transactionOf(manager: EntityManager): Transaction {
  let last: Promise<unknown> = Promise.resolve();
  const query = <Row>({ text, values }: Statement): Promise<Row[]> => {
    const rows = last.then(() => manager.query<Row[]>(text, values));
    last = rows;
    return rows;
  };
  return { query } as Transaction;
}
