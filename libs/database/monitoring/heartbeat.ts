import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database.js';
import { OwnConnection } from './own-connection.js';
import { NAME } from '#config/product.js';

/**
 * How long the server may take to answer: `TURNS` pauses of `TURN_MS`. A process that was itself frozen loses only one of
 * them.
 */
const TURNS = 80;
const TURN_MS = 100;

/** The name of the connection, by which the running processes of the product can be counted. */
export const HEARTBEAT_NAME = `${NAME} pulse`;

/**
 * Asks the server on a separate connection whether it still answers, and cuts all connections of the pool when it does not.
 * A host that is frozen or vanished closes no connection, so statements would wait for ever. However busy a server is, it
 * answers a question that costs nothing.
 */
export class Heartbeat {
  private readonly connection: OwnConnection;

  constructor(
    private readonly database: Database,
    private readonly log: { warn(text: string): void },
    private readonly turns = TURNS,
  ) {
    this.connection = new OwnConnection(database, HEARTBEAT_NAME);
  }

  /** Never throws: a server that refuses the question is away, and its connections are known to be lost. */
  async check(): Promise<void> {
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
