import { type Client, type Json, newWorkspace, ok, openApi } from '../support/client.js';
import { exampleOf, withIds } from '../support/examples.js';
import { filled, type Operation, operationsOf } from '../support/openapi.js';
import { type Furnished, furnishedWorkspace } from '../support/records.js';
import { removeDataDir } from '../support/data-dir.js';
import { type Server, startServer } from '../support/server.js';

let server: Server;
let furnished: Furnished;
let operations: Operation[];
beforeAll(async () => {
  server = await startServer();
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
