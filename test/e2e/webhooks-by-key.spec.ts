import {
  type Answer,
  type Client,
  type Json,
  newKey,
  newWorkspace,
  ok,
  openApi,
  type Workspace,
} from '../support/clients/client.js';
import { inDatabase } from '../support/database/database.js';
import { expectProblem } from '../support/clients/expectations.js';
import { answering, startReceiver, type TestReceiver, verified } from '../support/stand-ins/receiver.js';
import { until } from '../support/until.js';

let workspace: Workspace;
let api: Client;
let adminApi: Client;
let readOnly: Client;
let receiver: TestReceiver;
beforeAll(async () => {
  workspace = await newWorkspace();
  ({ api, adminApi } = workspace);
  const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
  readOnly = api.with({ 'x-api-key': api_key });
});
beforeEach(async () => void (receiver = await startReceiver()));
afterEach(() => receiver.close());

const newWebhook = (): Promise<Json> =>
  ok(api.post('webhooks', { url: receiver.url, types: ['ContactCreated'] }));
const once = (key: string, path: string, body?: object): Promise<Answer> =>
  api.send('POST', path, { body, headers: { 'idempotency-key': key } });

describe('a key of the organization', () => {
  it('has every route for webhooks that operators have, with the same bodies and answers', async () => {
    const { paths } = await openApi();
    const below = (surface: string) =>
      Object.entries<Json>(paths)
        .filter(([path]) => path.startsWith(surface) && path.includes('/webhooks'))
        .flatMap(([path, methods]) =>
          Object.entries<Json>(methods).map(([method, { requestBody, responses, summary }]) => [
            `${method} ${path.replace(surface, '')}`,
            summary,
            requestBody,
            Object.entries<Json>(responses).flatMap(([status, { content }]) =>
              status < '3' ? [[status, content]] : [],
            ),
          ]),
        );
    const ours = below('/api/v2/');
    expect(ours).toHaveLength(9);
    expect(ours).toEqual(below('/admin/v1/'));
  });

  it('sets up a webhook, changes, tries and removes it; operators see the same', async () => {
    const created = await api.post('webhooks', { url: receiver.url, description: 'Ours' });
    expect(created.status).toBe(201);
    const { secret, ...webhook } = created.body;
    const path = `webhooks/${webhook.webhook_id}`;
    expect(await ok(api.get(path))).toEqual(webhook);
    expect(await ok(adminApi.get(path))).toEqual(webhook);
    expect((await ok(api.get('webhooks'))).data).toEqual((await ok(adminApi.get('webhooks'))).data);
    expect(await ok(api.patch(path, { paused: true }))).toMatchObject({ paused_because: 'asked' });
    expect(await ok(api.post(`${path}/test`))).toMatchObject({ delivered: true, status_code: 204 });
    verified(secret, receiver.seen[0]!);
    const rotated = await ok(api.post(`${path}/rotate`, { overlap_seconds: 0 }));
    expect(rotated.secret).not.toBe(secret);
    expect((await api.delete(path)).status).toBe(204);
    expectProblem(await api.get(path), 404, 'webhook_not_found');
    expectProblem(await adminApi.get(path), 404, 'webhook_not_found');
  });

  it('reads the log and has an event sent once more', async () => {
    receiver.respond = answering(400);
    const { webhook_id } = await newWebhook();
    await ok(api.post('contacts', { name: 'Grace' }));
    const path = `webhooks/${webhook_id}/deliveries`;
    let failed: Json;
    await until(async () => {
      [failed] = (await ok(api.get(path, { status: 'retrying' }))).data;
      return failed !== undefined;
    });
    receiver.respond = undefined;
    await ok(once('again', `${path}/${failed.delivery_id}/redeliver`));
    await until(async () => (await ok(api.get(path, { status: 'delivered' }))).data.length === 1);
  });

  it('is told of a mistake as operators are', async () => {
    const wrong = { url: 'ftp://x', types: ['Nonsense'] };
    const [mine, theirs] = [await api.post('webhooks', wrong), await adminApi.post('webhooks', wrong)];
    expectProblem(mine, 400, 'validation_failed', 'url', 'types');
    expect(mine.body.errors).toEqual(theirs.body.errors);
  });
});

describe('a key that may only read', () => {
  it('sees webhooks and their deliveries, and changes nothing', async () => {
    const { webhook_id } = await newWebhook();
    const path = `webhooks/${webhook_id}`;
    expect((await readOnly.get(path)).body.webhook_id).toBe(webhook_id);
    for (const read of ['webhooks', `${path}/deliveries`]) await ok(readOnly.get(read));
    for (const answer of [
      await readOnly.post('webhooks', { url: receiver.url }),
      await readOnly.patch(path, { paused: true }),
      await readOnly.post(`${path}/rotate`, {}),
      await readOnly.post(`${path}/test`),
      await readOnly.post(`${path}/deliveries/delivery_x/redeliver`),
      await readOnly.delete(path),
    ])
      expectProblem(answer, 403, 'read_only_key');
    expect((await ok(api.get(path))).paused).toBe(false);
  });
});

describe('with an Idempotency-Key', () => {
  it('a webhook is made once, its secret is shown again, and the database holds it sealed', async () => {
    const [first, second] = [
      await once('made', 'webhooks', { url: receiver.url }),
      await once('made', 'webhooks', { url: receiver.url }),
    ];
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const { webhook_id, secret } = first.body;
    const [rotated, again] = [
      await once('made', `webhooks/${webhook_id}/rotate`, {}),
      await once('made', `webhooks/${webhook_id}/rotate`, {}),
    ];
    expect(again.text).toBe(rotated.text);
    expect(rotated.body.secret).not.toBe(secret);
    const { rows: kept } = await inDatabase((database) => database.query('SELECT body FROM idempotency'));
    for (const one of [secret, rotated.body.secret]) expect(JSON.stringify(kept)).not.toContain(one);
    expectProblem(
      await once('made', 'webhooks', { url: `${receiver.url}/other` }),
      422,
      'idempotency_key_reused',
    );
  });

  it('a webhook is tried once, and holds no transaction open while its endpoint does not answer', async () => {
    const { webhook_id } = await newWebhook();
    let answer = (): void => undefined;
    receiver.respond = (_, response) => void (answer = () => void response.writeHead(204).end());
    const path = `webhooks/${webhook_id}/test`;
    const first = once('tried', path);
    await receiver.waitFor(1);
    expectProblem(await once('tried', path), 409, 'idempotency_in_progress');
    const { rows: open } = await inDatabase((database) =>
      database.query(
        `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
            AND query LIKE '%idempotency%'`,
      ),
    );
    expect(open).toEqual([]);
    answer();
    expect(await ok(first)).toMatchObject({ delivered: true, status_code: 204 });
    expect((await once('tried', path)).text).toBe((await first).text);
    expect(receiver.seen).toHaveLength(1);
  });
});
