import pg from 'pg';
import { streamOf } from '../statements/driver.js';

/**
 * A connection beside the pool, for statements that cannot wait while all of the pool's are in use. It opens with the first
 * statement, and again after it was lost. One statement at a time.
 */
export class OwnConnection {
  private client: pg.Client | null = null;

  constructor(
    private readonly server: { readonly url: string },
    /** Its name in `pg_stat_activity`. */
    private readonly name: string,
  ) {}

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

  /** Cuts it off without a message, so also when the server does not answer. */
  end(): void {
    if (this.client) streamOf(this.client).destroy();
    this.client = null;
  }

  private newClient(): pg.Client {
    const client = new pg.Client({ connectionString: this.server.url, application_name: this.name });
    client.on('error', () => {});
    return client;
  }
}
