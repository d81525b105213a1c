import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as Database } from 'pg';
import { commandLineOf } from '#embedded-postgres/owner.js';
import { apiOf, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { ADMIN_KEY, databaseUrl, freePort } from '../support/server/server.js';
import { until } from '../support/until.js';
import { verify } from '../support/server/verify.js';

const WRITES = 500;
/** Each that is answered is followed by another, so that some are under way whenever the process is killed. */
const AT_ONCE = 200;
const PEOPLE = 50;
const KILL_AFTER = 150;

/** A server that leads its own process group, so that everything it has started can be killed with it. */
interface GroupLeader {
  url: string;
  child: ChildProcess;
}

async function startLeader(dataDir: string): Promise<GroupLeader> {
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/bin/main.js'], {
    cwd: join(import.meta.dirname, '../..'),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      // It ends with this process, should a test run be killed.
      npm_lifecycle_event: 'test',
      PORT: String(port),
      HOST: '127.0.0.1',
      PARLEY_DATA_DIR: dataDir,
      PARLEY_ADMIN_KEY: ADMIN_KEY,
      RATE_LIMIT_RPS: '0',
      LOG_LEVEL: 'error',
    },
  });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${errors}`);
    return fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return { url, child };
}

/** kill -9 of the whole group; resolves when its leader is gone. */
async function killGroup({ child }: GroupLeader): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid!, 'SIGKILL');
  await exited;
}

/** The pid of the database server of a data directory. */
const postgresOf = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);

const contactBody = (nr: number) => ({ name: `Contact ${nr}`, email: `contact${nr}@navy.example` });

const messageBody = (nr: number) => ({
  modality: 'text',
  message_direction: nr % 2 ? 'sent' : 'received',
  content: `Message ${nr}`,
  contact: { email: `person${nr % PEOPLE}@navy.example` },
  external_id: `message-${nr}`,
});

describe(`kill -9 of the whole process group amid ${WRITES} writes, ${AT_ONCE} at a time`, () => {
  const contacts: Json[] = [];
  const messages: Json[] = [];
  let dataDir: string;
  let leader: GroupLeader;
  let workspace: Workspace;
  let postgres: number;
  let database: Database;

  beforeAll(async () => {
    dataDir = readyDataDir();
    leader = await startLeader(dataDir);
    workspace = await newWorkspace({ url: leader.url });
    postgres = postgresOf(dataDir);
    let killed: Promise<void> | undefined;
    const write = async (nr: number) => {
      const [path, body, acknowledged] =
        nr % 2
          ? (['contacts', contactBody(nr), contacts] as const)
          : (['messages', messageBody(nr / 2), messages] as const);
      const answer = await workspace.api.post(path, body);
      if (answer.status === 201) acknowledged.push(answer.body);
      if (contacts.length + messages.length >= KILL_AFTER) killed ??= killGroup(leader);
    };
    let next = 0;
    let cutOff = 0;
    const writer = async () => {
      while (next < WRITES && !killed) await write(next++).catch(() => cutOff++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, writer));
    await killed;
    // It was in the middle: some writes were acknowledged, some were cut off.
    expect(cutOff).toBeGreaterThan(0);

    leader = await startLeader(dataDir);
    workspace.api = apiOf(workspace.organizationId, workspace.key, leader.url);
    database = new Database({ connectionString: await databaseUrl(dataDir) });
    await database.connect();
  });

  afterAll(async () => {
    await database.end();
    const exited = new Promise((resolve) => leader.child.once('exit', resolve));
    leader.child.kill('SIGTERM');
    await exited;
    removeDataDir(dataDir);
  });

  const count = async (sql: string): Promise<number> =>
    Number((await database.query<{ count: string }>(`SELECT count(*) ${sql}`)).rows[0]!.count);

  it('leaves no database server behind', async () => {
    await until(() => commandLineOf(postgres) === '');
    expect(postgresOf(dataDir)).not.toBe(postgres);
  });

  it('loses no contact that was acknowledged', async () => {
    for (const contact of contacts)
      expect(await ok(workspace.api.get(`contacts/${contact.contact_id}`))).toEqual(contact);
  });

  it('loses no message that was acknowledged', async () => {
    for (const message of messages) {
      const path = `conversations/${message.conversation_id}/messages/${message.message_id}`;
      expect(await ok(workspace.api.get(path))).toEqual(message);
    }
  });

  it('leaves rows that are exactly what the events say', async () => {
    expect(await verify(dataDir)).not.toContain('DIFFERS');
  });

  it('leaves no message without its conversation, and no conversation without its contact or a message', async () => {
    expect(
      await count(`FROM message LEFT JOIN conversation USING (organization_id, conversation_id)
                   WHERE conversation.conversation_id IS NULL`),
    ).toBe(0);
    expect(
      await count(`FROM conversation LEFT JOIN contact USING (organization_id, contact_id)
                   WHERE contact.contact_id IS NULL`),
    ).toBe(0);
    expect(
      await count(`FROM conversation c WHERE NOT EXISTS (
                     SELECT FROM message m WHERE m.organization_id = c.organization_id
                                             AND m.conversation_id = c.conversation_id)`),
    ).toBe(0);
  });

  it('leaves streams whose events have no gap', async () => {
    expect(
      await count(`FROM (SELECT count(*), max(version), min(version) FROM es_event
                          GROUP BY organization_id, stream_id) s WHERE count <> max OR min <> 1`),
    ).toBe(0);
  });

  it('lets every message be sent again, and then each is there once, with one contact per person', async () => {
    const answers = await Promise.all(
      Array.from({ length: WRITES / 2 }, (_, nr) => workspace.api.post('messages', messageBody(nr))),
    );
    expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true);
    const known = new Map(answers.map(({ body }) => [body.external_id, body.message_id]));
    for (const message of messages) expect(known.get(message.external_id)).toBe(message.message_id);
    const { organizationId } = workspace;
    expect(await count(`FROM message WHERE organization_id = '${organizationId}'`)).toBe(WRITES / 2);
    expect(
      await count(`FROM contact WHERE organization_id = '${organizationId}' AND email LIKE 'person%'`),
    ).toBe(PEOPLE);
    expect(await count(`FROM conversation WHERE organization_id = '${organizationId}'`)).toBe(PEOPLE);
  });

  it('leaves no database server behind when nobody starts again, either', async () => {
    const second = readyDataDir();
    const other = await startLeader(second);
    const pid = postgresOf(second);
    expect(commandLineOf(pid)).toContain('postgres');
    await killGroup(other);
    await until(() => commandLineOf(pid) === '');
    removeDataDir(second);
  });
});
