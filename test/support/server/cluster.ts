import { Balancer } from './balancer.js';
import { readyDataDir, removeDataDir } from './data-dir.js';
import { givenServer } from './given-environment.js';
import { type OwnDatabase, startDatabase } from './own-database.js';
import { type Server, startServer } from './server.js';

type Entry = 'api' | 'worker';

/** Processes of the product on one database, behind a balancer. */
export class Cluster {
  readonly dataDir = readyDataDir();
  readonly processes: { entry: Entry; server: Server }[] = [];
  readonly balancer = new Balancer(new Set());
  private postgres!: OwnDatabase;

  constructor(private readonly env: Record<string, string> = {}) {}

  async start(entries: Entry[]): Promise<void> {
    this.postgres = await startDatabase(this.dataDir);
    for (const entry of entries) this.processes.push({ entry, server: await this.launch(entry) });
  }

  get databaseUrl(): string {
    return this.postgres.url;
  }

  /** Ends a process in order and puts a new one in its place; gives the ended one. */
  async restart(nr: number): Promise<Server> {
    const old = this.processes[nr]!;
    await old.server.stop();
    this.balancer.urls.delete(old.server.url);
    this.processes[nr] = { entry: old.entry, server: await this.launch(old.entry) };
    return old.server;
  }

  async close(): Promise<void> {
    await this.balancer.close();
    await Promise.all(this.processes.map(({ server }) => server.stop()));
    await this.postgres.stop();
    removeDataDir(this.dataDir);
  }

  private async launch(entry: Entry): Promise<Server> {
    const database = givenServer() === undefined && { DATABASE_URL: this.postgres.url };
    const env = { ...database, DRAIN_MS: '1000', ...this.env };
    const server = await startServer({ dataDir: this.dataDir, entry, env });
    if (entry === 'api') this.balancer.urls.add(server.url);
    return server;
  }
}
