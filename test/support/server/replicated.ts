import { Client, newWorkspace, ok } from '../clients/client.js';
import { execute } from '../database/execute.js';
import { type PostgresServer, type Standby, startPrimary, startStandby } from '../database/standby.js';
import { type FaultyLine, startFaultyLine } from '../stand-ins/faulty-line.js';
import { until } from '../until.js';
import { type Server, startServer } from './server.js';

const APIS = 3;

/** Three APIs and a worker on a primary with two replicas. */
export class Replicated {
  readonly apis: Server[] = [];
  primary!: PostgresServer;
  /** Follows as fast as it can. */
  prompt!: Standby;
  /** Late by less than a request waits, behind a line that may break. */
  late!: Standby;
  line!: FaultyLine;
  /** Host and port of both, as the APIs know them. */
  hosts: string[] = [];
  private worker?: Server;

  async start(): Promise<void> {
    this.primary = await startPrimary();
    this.prompt = await startStandby(this.primary, { name: 'prompt' });
    this.late = await startStandby(this.primary, {
      name: 'late',
      settings: { recovery_min_apply_delay: '40ms' },
    });
    this.line = await startFaultyLine(this.late.url);
    const { host } = new URL(this.line.url);
    this.hosts = [this.prompt.host, host];
    const throughLine = Object.assign(new URL(this.late.url), { host }).href;
    for (let nr = 0; nr < APIS; nr++)
      this.apis.push(await this.startApi(`${this.prompt.url}, ${throughLine}`));
    this.worker = await startServer({ entry: 'worker', dataDir: this.primary.dataDir, env: this.env });
    await this.untilInUse(...this.hosts);
  }

  startApi(replicas: string): Promise<Server> {
    const env = { ...this.env, DATABASE_REPLICA_URLS: replicas, LOG_LEVEL: 'warn' };
    return startServer({ entry: 'api', dataDir: this.primary.dataDir, env });
  }

  private get env() {
    return { DATABASE_URL: this.primary.url, PARLEY_SECRET_KEY: 'ab'.repeat(32) };
  }

  async close(): Promise<void> {
    for (const server of [...this.apis, this.worker]) await server?.stop();
    await this.line?.close();
    for (const server of [this.late, this.prompt, this.primary]) await server?.close();
  }

  /** Statements that a server has answered for all APIs. */
  readFrom = (server: string) => this.measured(`parley_replica_statements_total{server="${server}"}`);

  fallbacks = (reason: string) => this.measured(`parley_replica_fallbacks_total{reason="${reason}"}`);

  /** By how many seconds a replica is behind, as the APIs know on average. */
  async lag(host: string): Promise<number> {
    return (await this.measured(`parley_replica_lag_seconds{replica="${host}"}`)) / APIS;
  }

  /** Waits until all APIs read from these replicas. */
  untilInUse = (...hosts: string[]) => this.untilUsedBy(APIS, hosts);

  /** Waits until no API does. */
  untilLeftOut = (...hosts: string[]) => this.untilUsedBy(0, hosts);

  private untilUsedBy(processes: number, hosts: string[]): Promise<void> {
    const uses = (host: string) => this.measured(`parley_replica_in_use{replica="${host}"}`);
    return until(async () => (await Promise.all(hosts.map(uses))).every((count) => count === processes));
  }

  /** What the metrics of all APIs say, summed. */
  private async measured(metric: string): Promise<number> {
    const found = this.apis.map(async ({ url }) => {
      const { text } = await new Client(url, '').get('/metrics');
      const line = text.split('\n').find((one) => one.startsWith(`${metric} `));
      return Number(line?.split(' ')[1] ?? 0);
    });
    return (await Promise.all(found)).reduce((sum, value) => sum + value, 0);
  }

  /** Both replicas stop replaying, and answer all the same. */
  async standStill(): Promise<void> {
    for (const { url } of [this.prompt, this.late]) await execute(url, 'SELECT pg_wal_replay_pause()');
  }

  async moveOn(): Promise<void> {
    for (const { url } of [this.prompt, this.late]) await execute(url, 'SELECT pg_wal_replay_resume()');
    await this.untilInUse(...this.hosts);
  }

  /** Reads from all APIs until its end, which tells what went wrong. */
  async startReaders(): Promise<{ end(): Promise<unknown[]> }> {
    const { api } = await newWorkspace({ url: this.apis[0]!.url });
    await ok(api.post('contacts', { name: 'Ada' }));
    const failures: unknown[] = [];
    let busy = true;
    const reading = this.apis.map(async ({ url }) => {
      const client = new Client(url, api.base, api.headers);
      while (busy)
        try {
          const { status, text } = await client.get('contacts');
          if (status !== 200 || !text.includes('Ada')) failures.push(text);
        } catch (error) {
          failures.push(error);
        }
    });
    return {
      async end() {
        busy = false;
        await Promise.all(reading);
        return failures;
      },
    };
  }
}
