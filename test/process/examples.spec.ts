import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type Json, newWorkspace, ok, openApi } from '../support/clients/client.js';
import { exampleOf, withIds } from '../support/clients/examples.js';
import { filled, type Operation, operationsOf } from '../support/clients/openapi.js';
import { type Furnished, furnishedWorkspace } from '../support/data/records.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';

let server: Server;
let furnished: Furnished;
let operations: Operation[];
beforeAll(async () => {
  server = await startServer({ dataDir: newDataDir() });
  furnished = await furnishedWorkspace({ url: server.url });
  operations = operationsOf(await openApi(server.url)).filter(
    ({ spec }) => spec.requestBody?.content['application/json'],
  );
});
afterAll(async () => {
  await server.stop();
  removeDataDir(server.dataDir);
});

/** The address of a door, token included, on the channel that has it. */
async function doorOf(path: string): Promise<string> {
  const { adminApi } = furnished;
  const text = { provider: 'twilio', account_sid: 'AC1', auth_token: 'x', from_number: '+12125550100' };
  const channels: Json[] = [
    await ok(adminApi.get('channels/email')),
    await ok(adminApi.put('channels/text', text)),
    await ok(adminApi.put('channels/live_chat', { provider: 'inbox' })),
  ];
  const hooks = Object.assign({}, ...channels.map((channel) => channel.hooks)) as Record<string, string>;
  const { pathname, search } = new URL(hooks[path.split('/').at(-1)!.replace('-', '_')]!);
  return pathname + search;
}

async function send(operation: Operation) {
  const { method, path } = operation;
  // A stage of the pipeline that sales are in could not be left out.
  const { ids, admin, api } = path.endsWith('/sale-statuses') ? await empty() : furnished;
  const body = withIds(exampleOf(operation), ids);
  const client: Client = path.startsWith('/admin') ? admin : api;
  const url = path.startsWith('/hooks') ? await doorOf(path) : filled(path, ids);
  return client.send(method, url, { body });
}

async function empty() {
  const workspace = await newWorkspace({ url: server.url });
  return { ...workspace, ids: { organization_id: workspace.organizationId } };
}

describe('the example of every body', () => {
  it('is accepted', async () => {
    expect(operations.length).toBeGreaterThan(20);
    const refused: string[] = [];
    for (const operation of operations) {
      const { status, text } = await send(operation);
      if (status >= 300) refused.push(`${operation.method} ${operation.path}: ${status} ${text}`);
    }
    expect(refused).toEqual([]);
  });

  it('is there and names something', () => {
    const empty = operations.filter((one) => Object.keys(exampleOf(one) ?? {}).length === 0);
    expect(empty.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});

/** A draft that was saved before is sent, two records that are there are merged, and a tag is called something, but once. */
const isOnce = (path: string): boolean =>
  /\/(send|merge)$|_id\}\/tags$/.test(path) && !/(contact|company|conversation|sale)_id\}\/tags$/.test(path);

/** What takes bytes has no example: any will do. */
const isUpload = ({ requestBody }: Json): boolean =>
  requestBody?.content['application/octet-stream'] !== undefined;

describe('in the demo', () => {
  let key: string;
  beforeAll(() => {
    key = JSON.parse(readFileSync(join(server.dataDir, 'demo.json'), 'utf8')).api_key;
  });

  /** Sends an operation with the examples of the document, which is read again for it. */
  async function sendAsShown(path: string) {
    const document = await openApi(server.url);
    const [operation] = operationsOf(document).filter((one) => one.method === 'POST' && one.path === path);
    const inPath = operation!.spec.parameters.filter((one: Json) => one.in === 'path');
    const ids = Object.fromEntries(inPath.map(({ name, example }: Json) => [name, example]));
    const open = new Client(server.url, '', { 'x-api-key': key });
    return open.send('POST', filled(path, ids), { body: exampleOf(operation!) });
  }

  it('the example of every POST of the API is carried out as it stands, and once more', async () => {
    const posts = operationsOf(await openApi(server.url))
      .filter(({ method, path, spec }) => method === 'POST' && path.startsWith('/api/') && !isUpload(spec))
      .map(({ path }) => path)
      // The demo has no webhook.
      .filter((path) => !path.includes('{webhook_id}'))
      .sort((one, other) => Number(isOnce(one)) - Number(isOnce(other)));
    const refused: string[] = [];
    for (const path of posts)
      for (const times of isOnce(path) ? [1] : [1, 2]) {
        const { status, text } = await sendAsShown(path);
        if (status >= 300) refused.push(`${path}, ${times}: ${status} ${text}`);
      }
    expect(refused).toEqual([]);
  });

  it('each id in a path is one of a record that is there', async () => {
    const open = new Client(server.url, '', { 'x-api-key': key });
    const gets = operationsOf(await openApi(server.url)).filter(
      ({ method, path }) => method === 'GET' && path.startsWith('/api/') && path.endsWith('_id}'),
    );
    const shown = gets.flatMap(({ path, spec }) => {
      const inPath = spec.parameters.filter((one: Json) => one.in === 'path');
      const ids = Object.fromEntries(inPath.map(({ name, example }: Json) => [name, example]));
      return Object.values(ids).includes(undefined) ? [] : filled(path, ids);
    });
    expect(shown.length).toBeGreaterThan(6);
    for (const path of shown) expect([path, (await open.get(path)).status]).toEqual([path, 200]);
  });
});
