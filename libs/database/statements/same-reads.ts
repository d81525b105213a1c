import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database.js';
import type { Statement } from './statement.js';

/**
 * Reads outside of units of work. What one turn of the event loop asks for with the same text and values is read once, after it
 * was asked for; nothing is remembered. The rows are shared: change none.
 */
export class SameReads {
  private readonly asked = new Map<string, Promise<object[]>>();

  constructor(private readonly database: Database) {}

  read<Row extends object>(statement: Statement): Promise<Row[]> {
    if (this.database.inUnitOfWork) return this.database.query<Row>(statement);
    const key = JSON.stringify([statement.name ?? statement.text, statement.values]);
    let rows = this.asked.get(key);
    if (!rows) {
      rows = nextTurn().then(() => {
        this.asked.delete(key);
        return this.database.query<Row>(statement);
      });
      this.asked.set(key, rows);
    }
    return rows as Promise<Row[]>;
  }
}
