import { Client as Database } from 'pg';
import {
  type Answer,
  Client,
  type Json,
  newWorkspace,
  type Workspace,
} from '../support/clients/client.js';
import {
  type PostgresServer,
  type Standby,
  startPrimary,
  startStandby,
} from '../support/database/standby.js';
import { type Random, randomFrom } from '../support/random.js';
import { type Server, startServer } from '../support/server/server.js';
import { type FaultyLine, startFaultyLine } from '../support/stand-ins/faulty-line.js';
import { until } from '../support/until.js';

const PAIRS = Number(process.env['PARLEY_FAULT_PAIRS'] ?? 600);
const CLIENTS = 6;

let primary: PostgresServer;
/** One follows as fast as it can; the other is late by less than a request waits, and its line may break. */
let prompt: Standby;
let late: Standby;
let line: FaultyLine;
let lineHost: string;
const apis: Server[] = [];

const settings = () => ({
  DATABASE_URL: primary.url,
  PARLEY_SECRET_KEY: 'ab'.repeat(32),
  LOG_LEVEL: 'warn',
});

beforeAll(async () => {
  primary = await startPrimary();
  prompt = await startStandby(primary, { name: 'prompt' });
  late = await startStandby(primary, { name: 'late', settings: { recovery_min_apply_delay: '40ms' } });
  line = await startFaultyLine(late.url);
  lineHost = new URL(line.url).host;
  const throughLine = Object.assign(new URL(late.url), { host: lineHost }).href;
  const env = { ...settings(), DATABASE_REPLICA_URLS: `${prompt.url}, ${throughLine}` };
  for (let nr = 0; nr < 3; nr++)
    apis.push(await startServer({ entry: 'api', dataDir: primary.dataDir, env }));
});

afterAll(async () => {
  for (const api of apis) await api.stop();
  await line?.close();
  for (const server of [late, prompt, primary]) await server?.close();
});

/** What the metrics of all processes say, summed. */
async function measured(metric: string): Promise<number> {
  const found = await Promise.all(
    apis.map(async ({ url }) => {
      const { text } = await new Client(url, '').get('/metrics');
      return Number(
        text
          .split('\n')
          .find((one) => one.startsWith(`${metric} `))
          ?.split(' ')[1] ?? NaN,
      );
    }),
  );
  return found.reduce((sum, value) => sum + value, 0);
}

const readFrom = (server: string) => measured(`parley_replica_statements_total{server="${server}"}`);
const inUse = (server: string) => measured(`parley_replica_in_use{replica="${server}"}`);
const hosts = () => [prompt.host, lineHost];
const untilInUse = (processes: number, ...servers: string[]) =>
  until(async () => (await Promise.all(servers.map(inUse))).every((count) => count === processes));

async function onServer(url: string, text: string): Promise<Json[]> {
  const client = new Database({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Writes by one process and reads by any, in an organization of its own, so that what is newest there is its own. */
class Writer {
  readonly missed: unknown[] = [];
  private contact: Json;

  constructor(
    private readonly workspace: Workspace,
    private readonly random: Random,
  ) {}

  static async of(seed: number): Promise<Writer> {
    return new Writer(await newWorkspace({ url: apis[0]!.url }), randomFrom(seed));
  }

  async pair(nr: number): Promise<void> {
    const change = { name: `Contact ${nr}` };
    const isNew = !this.contact || this.random.chance(0.5);
    const written = isNew
      ? await this.send('POST', 'contacts', change)
      : await this.send('PATCH', `contacts/${this.contact.contact_id}`, change, this.contact.etag);
    if (written.status >= 300) return void this.missed.push(written.text);
    this.contact = { ...written.body, etag: written.headers.get('etag') };
    const { contact_id } = this.contact;
    const reads = [
      `contacts/${contact_id}`,
      `audit-logs?record_type=contact&record_id=${contact_id}&limit=1`,
    ];
    const path = this.random.sample(isNew ? [...reads, 'contacts?limit=1'] : reads, 1)[0]!;
    const { status, text } = await this.send('GET', path);
    if (status !== 200 || !text.includes(`"${change.name}"`)) this.missed.push([path, change.name, text]);
  }

  private send(method: string, path: string, body?: object, ifMatch?: string): Promise<Answer> {
    const { url } = this.random.sample(apis, 1)[0]!;
    const { api } = this.workspace;
    const headers = { ...api.headers, ...(ifMatch && { 'if-match': ifMatch }) };
    return new Client(url, api.base).send(method, path, { body, headers });
  }
}

/** What pairs of a write and a read of it, over three processes, have not found. */
async function missedBy(pairs: number, seed: number): Promise<unknown[]> {
  const writers = await Promise.all(Array.from({ length: CLIENTS }, (_, nr) => Writer.of(seed + nr)));
  let left = pairs;
  await Promise.all(
    writers.map(async (writer) => {
      while (left > 0) await writer.pair(left--);
    }),
  );
  return writers.flatMap(({ missed }) => missed);
}

describe('a caller of three processes with replicas', () => {
  it('reads what it has written, from replicas', async () => {
    await untilInUse(3, ...hosts());
    const before = await Promise.all(hosts().map(readFrom));
    expect(await missedBy(PAIRS, 1)).toEqual([]);
    const after = await Promise.all(hosts().map(readFrom));
    expect(after[0]! - before[0]!).toBeGreaterThan(PAIRS / 4);
    expect(after[0]! + after[1]! - before[0]! - before[1]!).toBeGreaterThan(PAIRS / 2);
  });

  it('reads what it has written while replicas stand still, from the primary', async () => {
    for (const { url } of [prompt, late]) await onServer(url, 'SELECT pg_wal_replay_pause()');
    const before = await measured('parley_replica_fallbacks_total{reason="behind"}');
    expect(await missedBy(30, 2)).toEqual([]);
    expect(await measured('parley_replica_fallbacks_total{reason="behind"}')).not.toBe(before);
    for (const { url } of [prompt, late]) await onServer(url, 'SELECT pg_wal_replay_resume()');
    await untilInUse(3, ...hosts());
  });
});
