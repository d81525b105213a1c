import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { apiOf, type Client, newKey, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

/** A conversation that holds far more than the process may use. */
const MESSAGES = 20;
const LENGTH = 1_000_000;
const CONNECTIONS = 40;
const PIPELINED = 10;

let server: Server;
let dataDir: string;
let workspace: Workspace;
let path: string;
let key: string;
let reader: Client;
beforeAll(async () => {
  dataDir = newDataDir();
  const DATABASE_URL = await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!);
  const NODE_OPTIONS = '--max-old-space-size=256';
  server = await startServer({ entry: 'api', dataDir, env: { DATABASE_URL, NODE_OPTIONS } });
  workspace = await newWorkspace();
  const message = (nr: number) => ({
    modality: 'email',
    message_direction: 'received',
    content: `${nr} `.repeat(LENGTH / 2).slice(0, LENGTH),
    contact: { email: 'ann@buyer.example' },
    email_metadata: { email_message_id: `${nr}@buyer.example`, references: '0@buyer.example' },
  });
  let conversation;
  for (let nr = 0; nr < MESSAGES; nr++)
    ({ conversation_id: conversation } = await ok(workspace.api.post('messages', message(nr))));
  const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
  key = api_key;
  reader = apiOf(workspace.organizationId, key, server.url);
  path = reader.path(`conversations/${conversation}/messages?limit=200`);
});
afterAll(async () => {
  await server.stop();
  removeDataDir(dataDir);
});

/** A connection on which requests have been sent, and nothing has been read. */
async function asking(paths: string[]): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).pause();
  await once(socket, 'connect');
  for (const one of paths) socket.write(`GET ${one} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\n\r\n`);
  return socket;
}

describe('readers that take none of their answers', () => {
  it('take no more than the room of their key; others are answered, and so are they once they are gone', async () => {
    const paths = Array.from({ length: PIPELINED }, () => path);
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => asking(paths)));
    await until(async () => (await reader.get(path)).status === 503);
    const refused = await reader.get(path);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    const other = apiOf(workspace.organizationId, workspace.key, server.url);
    expect((await other.get(path)).status).toBe(200);
    sockets.forEach((socket) => socket.destroy());
    await until(async () => (await reader.get(path)).status === 200);
    expect(server.ended()).toBeNull();
  });

  it('are cut off when they ask for ever more', async () => {
    const socket = await asking(Array.from({ length: 500 }, () => path));
    const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
    socket.resume();
    await closed;
  });
});

it('requests that are sent without waiting are all answered, in their order', async () => {
  const names = Array.from({ length: 50 }, (_, nr) => `nowhere-${nr}`);
  const socket = await asking(names.map((name) => reader.path(name)));
  let answers = '';
  socket.setEncoding('utf8').on('data', (part) => (answers += String(part)));
  const told = () => [...answers.matchAll(/"instance":"[^"]*\/([^"/]*)"/g)].map(([, name]) => name);
  socket.resume();
  await until(() => told().length === names.length);
  expect(told()).toEqual(names);
  socket.destroy();
});

it('a page of long texts ends before its limit, and its cursor goes on from there', async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { data, pagination } = await ok(reader.get(path, { cursor }));
    expect(data.length).toBeGreaterThan(0);
    seen.push(...data.map(({ message_id }: { message_id: string }) => message_id));
    cursor = pagination.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(new Set(seen).size).toBe(MESSAGES);
  expect(seen).toHaveLength(MESSAGES);
});
