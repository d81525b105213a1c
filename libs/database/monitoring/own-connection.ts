import type pg from 'pg';
import { streamOf } from '../statements/driver.js';

/**
 * A connection beside the pool, for statements that cannot wait while all of the pool's are in use. It opens with the first
 * statement, and again after it was lost. One statement at a time.
 */
export class OwnConnection {
  private client: pg.Client | null = null;

  /** `newClient` makes it, unopened. */
  constructor(private readonly newClient: () => pg.Client) {}

  async query<Row extends object>(text: string): Promise<Row[]> {
    const isNew = this.client === null;
    const client = (this.client ??= this.newClient());
    try {
      if (isNew) await client.connect();
      const { rows } = await client.query<Row>(text);
      return rows;
    } catch (error) {
      if (this.client === client) this.end();
      throw error;
    }
  }

  /** Whether another one like it can be opened. */
  async canOpen(): Promise<boolean> {
    const client = this.newClient();
    const opened = client.connect().then(
      () => true,
      () => false,
    );
    return opened.finally(() => streamOf(client).destroy());
  }

  /** Cuts it off without a message, so also when the server does not answer. */
  end(): void {
    if (this.client) streamOf(this.client).destroy();
    this.client = null;
  }
}
