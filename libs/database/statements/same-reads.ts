import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database.js';
import type { Replica } from '../replicas/replica.js';
import type { Reader, Statement } from './statement.js';

/**
 * Reads outside of units of work. What one turn of the event loop asks for with the same text and values is read once, after it
 * was asked for; nothing is remembered. The rows are shared: change none.
 */
export class SameReads implements Reader {
  /** By the server to read from; null is the primary. */
  private readonly asked = new Map<Replica | null, Map<string, Promise<unknown[]>>>();

  constructor(private readonly database: Database) {}

  get isDistributed(): boolean {
    return this.database.isDistributed;
  }

  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]> {
    if (this.database.inUnitOfWork) return this.database.query<Row>(statement);
    const { replica } = this.database;
    return replica
      ? replica.then((chosen) => this.readOn<Row>(chosen, statement))
      : this.readOn<Row>(null, statement);
  }

  private readOn<Row>(replica: Replica | null, statement: Statement): Promise<Row[]> {
    const askedThere = this.asked.get(replica) ?? new Map<string, Promise<unknown[]>>();
    this.asked.set(replica, askedThere);
    const key = JSON.stringify([statement.name ?? statement.text, statement.values, statement.room]);
    let rows = askedThere.get(key);
    if (!rows) {
      rows = nextTurn().then(() => {
        askedThere.delete(key);
        return this.database.queryOn<Row>(replica, statement);
      });
      askedThere.set(key, rows);
    }
    return rows as Promise<Row[]>;
  }
}
