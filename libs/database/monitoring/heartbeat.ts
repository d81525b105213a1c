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
  private readonly direct: OwnConnection;
  /** Where it is set apart, the way through a pooler, which may vanish by itself. */
  private readonly pooled: OwnConnection | null;

  constructor(
    private readonly database: Database,
    private readonly log: { warn(text: string): void },
    private readonly turns = TURNS,
  ) {
    this.direct = new OwnConnection(() => database.newClient(HEARTBEAT_NAME));
    this.pooled = database.isPooled
      ? new OwnConnection(() => database.newClient(`${HEARTBEAT_NAME} pooled`, database.servers))
      : null;
  }

  /** Never throws: a server that refuses the question is away, and its connections are known to be lost. */
  async check(): Promise<void> {
    const [isGone, isPoolerGone] = await Promise.all([this.isSilent(this.direct), this.hasPoolerGone()]);
    if (!isGone && !isPoolerGone) return;
    this.log.warn('the database does not answer any more: all connections to it are ended');
    this.stop();
    this.database.endConnections();
  }

  stop(): void {
    this.direct.end();
    this.pooled?.end();
  }

  private async isSilent(connection: OwnConnection): Promise<boolean> {
    let isSilent = true;
    const answered = () => (isSilent = false);
    connection.query('SELECT 1').then(answered, answered);
    for (let turn = 0; isSilent && turn < this.turns; turn++) await sleep(TURN_MS);
    return isSilent;
  }

  /** A pooler whose connections are all in use keeps the question waiting, but takes another client. */
  private async hasPoolerGone(): Promise<boolean> {
    if (!this.pooled) return false;
    return (await this.isSilent(this.pooled)) && !(await this.pooled.canOpen());
  }
}
