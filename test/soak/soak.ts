import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cli } from '../support/server/cli.js';
import { emailChannel, newWorkspace, type Workspace } from '../support/clients/client.js';
import { Cluster } from '../support/server/cluster.js';
import { firstMessage } from '../support/data/message-drafts.js';
import { startSmtp } from '../support/stand-ins/smtp.js';

/** The share of the most that the processes can do, so that they are busy and keep up. */
const SHARE_OF_KNEE = 0.7;
const KNEE_S = 10;
const KNEE_CLIENTS = 16;
const RESTART_EVERY_MS = 60_000;
/** A new process grows for a while before it has all it needs. */
const WARM_UP_MINUTES = 1;
const PAGE_BYTES = 4096;
const MIB = 1024 * 1024;
/** Restarted in turn; the first API is not, so that its memory tells of a whole run. */
const ENTRIES = ['api', 'api', 'api', 'worker'] as const;

/** What came of a soak. Memory is the resident set of the API that is never restarted. */
export interface SoakReport {
  minutes: number;
  knee_per_second: number;
  load_per_second: number;
  requests: number;
  restarts: number;
  failures: number;
  first_failures: string[];
  /** Acknowledged contacts that could not be read in the end. */
  lost: number;
  p50_ms: number;
  p99_ms: number;
  memory_mib: { first: number; last: number; slope_per_minute: number };
  /** Whether the rows are what the events say. */
  verified: boolean;
}

/** Load, with one process restarted each minute, for so many minutes. */
export async function soak(minutes: number): Promise<SoakReport> {
  const [cluster, smtp] = [new Cluster(), await startSmtp()];
  try {
    await cluster.start([...ENTRIES]);
    const workspace = await newWorkspace({ url: cluster.processes[0]!.server.url });
    await emailChannel(workspace, smtp.port);
    return await new Soak(cluster, workspace).run(minutes);
  } finally {
    await cluster.close();
    await smtp.close();
  }
}

class Soak {
  private readonly latencies: number[] = [];
  private readonly failures: string[] = [];
  private readonly contacts: string[] = [];
  private readonly memory: { minute: number; mib: number }[] = [];
  private requests = 0;
  private restarts = 0;

  constructor(
    private readonly cluster: Cluster,
    private readonly workspace: Workspace,
  ) {}

  async run(minutes: number): Promise<SoakReport> {
    const knee = await this.knee();
    const rate = Math.max(1, Math.floor(knee * SHARE_OF_KNEE));
    console.error(`knee ${knee.toFixed(0)}/s, load ${rate}/s`);
    const end = Date.now() + minutes * 60_000;
    await Promise.all([this.load(rate, end), this.restart(end), this.watchMemory(end)]);
    return {
      minutes,
      knee_per_second: Math.round(knee),
      load_per_second: rate,
      requests: this.requests,
      restarts: this.restarts,
      failures: this.failures.length,
      first_failures: this.failures.slice(0, 10),
      lost: await this.lost(),
      p50_ms: this.percentile(0.5),
      p99_ms: this.percentile(0.99),
      memory_mib: this.memoryReport(),
      verified: await this.verified(),
    };
  }

  /** Requests per second that so many clients get answered, each asking again at once. */
  private async knee(): Promise<number> {
    const end = Date.now() + KNEE_S * 1_000;
    let count = 0;
    const client = async () => {
      for (; Date.now() < end; count++) await this.one(count);
    };
    await Promise.all(Array.from({ length: KNEE_CLIENTS }, client));
    this.latencies.length = this.requests = 0;
    return count / KNEE_S;
  }

  /** Requests at their times, whether or not those before are answered. */
  private async load(rate: number, end: number): Promise<void> {
    const start = Date.now();
    const open = new Set<Promise<void>>();
    for (let nr = 0; Date.now() < end; nr++) {
      const wait = start + (nr * 1_000) / rate - Date.now();
      if (wait > 0) await sleep(wait);
      const asked: Promise<void> = this.one(nr).finally(() => open.delete(asked));
      open.add(asked);
    }
    await Promise.all(open);
  }

  private async one(nr: number): Promise<void> {
    const began = performance.now();
    this.requests++;
    try {
      const { status, text, body } = await this.ask(nr);
      if (status < 200 || status > 299) this.failures.push(`${status} ${text}`);
      else if (body.contact_id) this.contacts.push(body.contact_id);
      this.latencies.push(performance.now() - began);
    } catch (error) {
      this.failures.push(`${(error as Error).message}: ${String((error as Error).cause)}`);
    }
  }

  /** Of ten requests five read, four write and one has a draft sent. */
  private ask(nr: number) {
    const { api } = this.workspace;
    const send = (method: string, path: string, body?: unknown) =>
      this.cluster.balancer.send(method, api.path(path), { body, headers: api.headers });
    if (nr % 10 === 0) return send('POST', 'message-drafts', firstMessage({ subject: `Soak ${nr}` }));
    if (nr % 2 === 0)
      return send('POST', 'contacts', { name: `Soak ${nr}`, email: `soak${nr}@navy.example` });
    return send('GET', nr % 4 === 1 ? 'contacts' : 'conversations');
  }

  private async restart(end: number): Promise<void> {
    for (let nr = 0; Date.now() + RESTART_EVERY_MS < end; nr++) {
      await sleep(RESTART_EVERY_MS);
      const old = await this.cluster.restart(1 + (nr % (ENTRIES.length - 1)));
      if (old.ended() !== 0) this.failures.push(`a process ended with ${old.ended()}`);
      this.restarts++;
      console.error(`minute ${nr + 1}: ${this.requests} requests, ${this.failures.length} failures`);
    }
  }

  private async watchMemory(end: number): Promise<void> {
    const { pid } = this.cluster.processes[0]!.server;
    for (const start = Date.now(); Date.now() < end; await sleep(2_000)) {
      const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
      this.memory.push({ minute: (Date.now() - start) / 60_000, mib: (pages * PAGE_BYTES) / MIB });
    }
  }

  /** The slope of a straight line through what was seen after the first minute, by least squares. */
  private memoryReport(): SoakReport['memory_mib'] {
    const warm = this.memory.filter(({ minute }) => minute >= WARM_UP_MINUTES);
    const mean = (of: (one: { minute: number; mib: number }) => number) =>
      warm.reduce((sum, one) => sum + of(one), 0) / warm.length;
    const [minute, mib] = [mean((one) => one.minute), mean((one) => one.mib)];
    const slope =
      mean((one) => (one.minute - minute) * (one.mib - mib)) / mean((one) => (one.minute - minute) ** 2);
    const rounded = (value: number | undefined) => Math.round((value ?? NaN) * 10) / 10;
    return {
      first: rounded(warm[0]?.mib),
      last: rounded(warm.at(-1)?.mib),
      slope_per_minute: Math.round(slope * 100) / 100,
    };
  }

  private percentile(share: number): number {
    const sorted = this.latencies.sort((one, other) => one - other);
    return Math.round(sorted[Math.floor(sorted.length * share)] ?? NaN);
  }

  private async lost(): Promise<number> {
    let lost = 0;
    const { api } = this.workspace;
    const rest = [...new Set(this.contacts)];
    const client = async () => {
      for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
        const path = api.path(`contacts/${id}`);
        const { status } = await this.cluster.balancer.send('GET', path, { headers: api.headers });
        if (status !== 200) lost++;
      }
    };
    await Promise.all(Array.from({ length: KNEE_CLIENTS }, client));
    return lost;
  }

  private async verified(): Promise<boolean> {
    const env = { DATABASE_URL: this.cluster.databaseUrl, PARLEY_DATA_DIR: this.cluster.dataDir };
    return (await cli(['verify'], { env })).code === 0;
  }
}
