import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database.js';
import { OwnConnection } from './own-connection.js';

/** How long the server may take to answer: this often this many milliseconds. A process that was itself held up loses one turn by it. */
const TURNS = 80;
const TURN_MS = 100;

/**
 * Asks the server whether it still answers, on a connection of its own, and ends all connections of the pool when it does
 * not: a host that is frozen, or gone without a word, closes none, and what waits for it would wait for ever. However busy it
 * is, a server answers what costs nothing.
 */
export class Pulse {
  private readonly connection: OwnConnection;

  constructor(
    private readonly database: Database,
    private readonly log: { warn(text: string): void },
    private readonly turns = TURNS,
  ) {
    this.connection = new OwnConnection(database, 'parley pulse');
  }

  /** Never throws: a server that refuses to be asked is away, and its connections are known to be lost. */
  async feel(): Promise<void> {
    let isSilent = true;
    const answered = () => (isSilent = false);
    this.connection.query('SELECT 1').then(answered, answered);
    for (let turn = 0; isSilent && turn < this.turns; turn++) await sleep(TURN_MS);
    if (!isSilent) return;
    this.log.warn('the database does not answer any more: all connections to it are ended');
    this.stop();
    this.database.endConnections();
  }

  stop(): void {
    this.connection.end();
  }
}
