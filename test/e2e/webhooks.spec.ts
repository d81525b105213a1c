import type { ServerResponse } from 'node:http';
import {
  type Client,
  type Json,
  newWorkspace,
  ok,
  openApi,
  type Workspace,
} from '../support/clients/client.js';
import { inDatabase } from '../support/database/database.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import { mismatches } from '../support/clients/openapi.js';
import { readFeed } from '../support/clients/feed.js';
import { received } from '../support/data/records.js';
import {
  answering,
  newWebhook,
  startReceiver,
  type TestReceiver,
  verified,
} from '../support/stand-ins/receiver.js';
import { type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

const NOWHERE = '01hzy3v7q4e8k9m2n5p6r7s8t9';

let workspace: Workspace;
let api: Client;
let adminApi: Client;
let receiver: TestReceiver;
beforeEach(async () => {
  workspace = await newWorkspace();
  ({ api, adminApi } = workspace);
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const contact = (name = 'Grace'): Promise<Json> => ok(api.post('contacts', { name }));
const feed = async (): Promise<Json[]> => (await readFeed(api, { limit: 200 })).data;
const shown = ({ webhook_id }: Json): Promise<Json> => ok(adminApi.get(`webhooks/${webhook_id}`));
const log = async ({ webhook_id }: Json, query = {}): Promise<Json[]> =>
  (await ok(adminApi.get(`webhooks/${webhook_id}/deliveries`, query))).data;

/** The only delivery of the webhook, once it is as it should be. */
async function delivery(webhook: Json, fits: (delivery: Json) => boolean): Promise<Json> {
  let one: Json;
  await until(async () => ([one] = await log(webhook)) && one !== undefined && fits(one));
  return one;
}
const is = (status: string) => (delivery: Json) => delivery.status === status;

describe('an event', () => {
  it('is posted as the feed shows it, signed by the Standard Webhooks specification', async () => {
    const { secret } = await newWebhook(adminApi, { url: receiver.url });
    await contact();
    const [received] = await receiver.waitFor(1);
    const [event] = await feed();
    expect(verified(secret, received!)).toEqual(event);
    expect(received!.raw).toBe(JSON.stringify(event));
    expect(received!.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': event.event_id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
  });

  it('has the schema that the document gives it, in its webhooks', async () => {
    const document = await openApi();
    await newWebhook(adminApi, { url: receiver.url });
    await contact();
    await ok(api.post('companies', { name: 'Navy' }));
    for (const { event } of await receiver.waitFor(2)) {
      const { requestBody } = document.webhooks[event.type].post;
      expect(mismatches(document, requestBody.content['application/json'].schema, event)).toEqual([]);
    }
    expect(Object.keys(document.webhooks).sort()).toEqual(
      [...Object.keys(document.components.schemas.Event.discriminator.mapping), 'WebhookTest'].sort(),
    );
  });

  it('from before the webhook is not sent', async () => {
    await contact('Before');
    await newWebhook(adminApi, { url: receiver.url });
    const { contact_id } = await contact('After');
    await receiver.waitFor(1);
    expect(receiver.seen.map(({ event }) => event.stream.id)).toEqual([contact_id]);
  });

  it('of another type than asked for is not sent', async () => {
    await newWebhook(adminApi, { url: receiver.url, types: ['CompanyCreated'] });
    await contact();
    await ok(api.post('companies', { name: 'Navy' }));
    await receiver.waitFor(1);
    expect(receiver.seen.map(({ event }) => event.type)).toEqual(['CompanyCreated']);
  });

  it('that opens a conversation goes as its message to whoever asks for messages, as the feed shows it', async () => {
    const { webhook_id } = await newWebhook(adminApi, { url: receiver.url, types: ['MessageRecorded'] });
    const { conversation_id } = await ok(received(api, { contact: { email: 'ann@x.example' } }));
    await ok(received(api, { conversation_id }));
    const sent = (await receiver.waitFor(2)).map(({ event }) => event);
    expect(sent).toEqual((await readFeed(api, { types: 'MessageRecorded' })).data);
    expect(sent.map(({ type, stream }) => [type, stream.version])).toEqual([
      ['MessageRecorded', 1],
      ['MessageRecorded', 2],
    ]);
    const log = await ok(adminApi.get(`webhooks/${webhook_id}/deliveries`));
    expect(log.data.map(({ type }: Json) => type)).toEqual(['MessageRecorded', 'MessageRecorded']);
  });

  it('of another organization is not sent', async () => {
    const other = await newWorkspace();
    await newWebhook(adminApi, { url: receiver.url });
    await ok(other.api.post('contacts', { name: 'Other' }));
    const { contact_id } = await contact();
    await receiver.waitFor(1);
    expect(receiver.seen.map(({ event }) => event.stream.id)).toEqual([contact_id]);
  });

  it('goes to each webhook of the organization', async () => {
    const second = await startReceiver();
    const webhooks = [
      await newWebhook(adminApi, { url: receiver.url }),
      await newWebhook(adminApi, { url: second.url }),
    ];
    await contact();
    for (const [nr, one] of [receiver, second].entries())
      verified(webhooks[nr].secret, (await one.waitFor(1))[0]!);
    await second.close();
  });
});

describe('events', () => {
  it('arrive in the order of the feed at an endpoint that takes them', async () => {
    await newWebhook(adminApi, { url: receiver.url });
    for (let nr = 0; nr < 15; nr++) await contact(`Contact ${nr}`);
    await receiver.waitFor(15);
    expect(receiver.seen.map(({ id }) => id)).toEqual((await feed()).map(({ event_id }) => event_id));
  });

  it('of 12 concurrent writers arrive, all 1,000 of them, those of each record in order', async () => {
    const webhook = await newWebhook(adminApi, { url: receiver.url });
    const contacts = await Promise.all(Array.from({ length: 10 }, (_, nr) => contact(`Contact ${nr}`)));
    await Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        for (let nr = writer; nr < 990; nr += 12)
          await ok(api.patch(`contacts/${contacts[nr % 10].contact_id}`, { name: `Renamed ${nr}` }));
      }),
    );
    await until(async () => new Set(receiver.seen.map(({ id }) => id)).size >= 1_000);
    const versions = new Map<string, number[]>();
    for (const { event } of receiver.seen)
      versions.set(event.stream.id, [...(versions.get(event.stream.id) ?? []), event.stream.version]);
    for (const seen of versions.values())
      expect(seen).toEqual(Array.from({ length: 100 }, (_, nr) => nr + 1));
    await until(async () => (await log(webhook, { status: 'pending' })).length === 0);
  });

  it('for one endpoint do not wait for another that hangs', async () => {
    const hanging = await startReceiver();
    hanging.respond = () => {};
    await newWebhook(adminApi, { url: hanging.url });
    await newWebhook(adminApi, { url: receiver.url });
    for (let nr = 0; nr < 5; nr++) await contact(`Contact ${nr}`);
    await receiver.waitFor(5);
    await hanging.waitFor(1);
    expect(hanging.seen).toHaveLength(1);
    await hanging.close();
  });
});

describe('with a server of its own', () => {
  let server: Server;
  let hanging: TestReceiver;
  beforeEach(async () => {
    server = await startServer({ env: { WEBHOOK_TIMEOUT_MS: '45000' } });
    hanging = await startReceiver();
  });
  afterEach(async () => {
    await hanging.close();
    await server.stop();
    removeDataDir(server.dataDir);
  });

  it('events are tried again while more endpoints hang than are looked for at once', async () => {
    const own = await newWorkspace({ url: server.url });
    const newWebhooks = async (count: number, url: string) => {
      for (let nr = 0; nr < count; nr += 20)
        await Promise.all(Array.from({ length: 20 }, () => newWebhook(own.adminApi, { url })));
    };
    hanging.respond = () => {};
    await newWebhooks(600, hanging.url);
    await newWebhooks(100, receiver.url);
    receiver.respond = (_, response, nth) => response.writeHead(nth <= 100 ? 500 : 204).end();
    await ok(own.api.post('contacts', { name: 'Grace' }));
    await hanging.waitFor(600);
    await receiver.waitFor(200);
    expect(hanging.seen.length).toBe(600);
  });
});

describe('a try that fails', () => {
  it('is repeated under the same webhook-id until the endpoint takes the event', async () => {
    receiver.respond = (_, response, nth) => response.writeHead(nth < 3 ? 500 : 200).end('thanks');
    const webhook = await newWebhook(adminApi, { url: receiver.url });
    await contact();
    const delivered = await delivery(webhook, is('delivered'));
    const [event] = await feed();
    expect(receiver.seen.map(({ id }) => id)).toEqual([event.event_id, event.event_id, event.event_id]);
    for (const received of receiver.seen) expect(verified(webhook.secret, received)).toEqual(event);
    expect(delivered).toEqual({
      delivery_id: expect.stringMatching(/^delivery_/),
      webhook_id: webhook.webhook_id,
      event_id: event.event_id,
      type: 'ContactCreated',
      status: 'delivered',
      attempts: 3,
      last_attempt_at: expect.stringMatching(INSTANT),
      last_status_code: 200,
      last_error: null,
      duration_ms: expect.any(Number),
      next_attempt_at: null,
      delivered_at: expect.stringMatching(INSTANT),
      created_at: expect.stringMatching(INSTANT),
    });
    expect((await shown(webhook)).failing_since).toBeNull();
  });

  it('is not repeated before the Retry-After of the endpoint', async () => {
    receiver.respond = answering(503, { 'retry-after': '3600' });
    const webhook = await newWebhook(adminApi, { url: receiver.url });
    await contact();
    const retrying = await delivery(webhook, is('retrying'));
    expect(retrying).toMatchObject({ attempts: 1, last_status_code: 503, last_error: 'answered 503' });
    const pause = Date.parse(retrying.next_attempt_at) - Date.parse(retrying.last_attempt_at);
    expect(pause).toBe(3_600_000);
    expect((await shown(webhook)).failing_since).toBe(retrying.last_attempt_at);
  });

  it.each([
    ['a redirect, which is not followed', answering(302, { location: 'http://127.0.0.1:1/' }), 302],
    ['a refusal', answering(400), 400],
    ['no answer at all', (_: unknown, response: Json) => response.destroy(), null],
  ] as const)('has its reason in the log: %s', async (_, respond, last_status_code) => {
    receiver.respond = respond;
    const webhook = await newWebhook(adminApi, { url: receiver.url });
    await contact();
    const tried = await delivery(webhook, ({ attempts }) => attempts > 0);
    expect(tried).toMatchObject({ last_status_code, last_error: expect.stringMatching(/\S/) });
    expect(tried.delivered_at).toBeNull();
  });

  it('does not hold up what comes after it', async () => {
    const poisoned = await contact('Poison');
    receiver.respond = ({ event }, response) =>
      response.writeHead(event.data.name === 'Poison' ? 422 : 200).end();
    await newWebhook(adminApi, { url: receiver.url });
    await ok(api.patch(`contacts/${poisoned.contact_id}`, { name: 'P' }));
    await ok(api.patch(`contacts/${poisoned.contact_id}`, { name: 'Poison' }));
    const { contact_id } = await contact('Next');
    await until(() => receiver.seen.some(({ event }) => event.stream.id === contact_id));
  });

  it('for the last time is the end of it', async () => {
    receiver.respond = answering(400);
    const webhook = await newWebhook(adminApi, { url: receiver.url });
    await contact();
    for (let attempts = 1; attempts < 10; attempts++) {
      await delivery(webhook, (one) => one.attempts >= attempts);
      await hasten(webhook);
    }
    expect(await delivery(webhook, is('failed'))).toMatchObject({ attempts: 10, next_attempt_at: null });
    expect((await shown(webhook)).paused).toBe(false);
  });
});

/** Has what waits for a retry tried now. */
const hasten = ({ webhook_id }: Json, change = 'due_at = now()') =>
  inDatabase((database) =>
    database.query(`UPDATE webhook_delivery SET ${change} WHERE webhook_id = $1 AND due_at IS NOT NULL`, [
      webhook_id,
    ]),
  );

describe('a webhook', () => {
  it('whose endpoint answers 410 Gone is paused, and resumed it goes on with what was answered so', async () => {
    receiver.respond = answering(410);
    const webhook = await newWebhook(adminApi, { url: receiver.url });
    const first = await contact();
    expect(await delivery(webhook, is('retrying'))).toMatchObject({ attempts: 1, last_status_code: 410 });
    expect(await shown(webhook)).toMatchObject({
      paused: true,
      paused_at: expect.stringMatching(INSTANT),
      paused_because: 'gone',
    });
    receiver.respond = undefined;
    const second = await contact('Later');
    await until(async () => (await log(webhook)).length === 2);
    expect(receiver.seen).toHaveLength(1);
    const resumed = await ok(adminApi.patch(`webhooks/${webhook.webhook_id}`, { paused: false }));
    expect(resumed).toMatchObject({ paused: false, paused_at: null, paused_because: null });
    await receiver.waitFor(3);
    const ids = receiver.seen.slice(1).map(({ event }) => event.stream.id);
    expect(ids).toEqual([first.contact_id, second.contact_id]);
  });

  it('whose endpoint has failed for three days is paused', async () => {
    receiver.respond = answering(500);
    const webhook = await newWebhook(adminApi, { url: receiver.url });
    await contact();
    await delivery(webhook, is('retrying'));
    const { webhook_id } = webhook;
    await inDatabase((database) =>
      database.query(
        `UPDATE webhook SET failing_since = now() - interval '3 days', resting_until = NULL, lease_until = NULL,
                            fence = fence + 1 WHERE webhook_id = $1`,
        [webhook_id],
      ),
    );
    await hasten(webhook);
    await until(async () => (await shown(webhook)).paused);
    expect((await shown(webhook)).paused_because).toBe('failing');
    expect((await log(webhook)).map(({ status }) => status)).toEqual(['retrying']);
    receiver.respond = undefined;
    await ok(adminApi.patch(`webhooks/${webhook_id}`, { paused: false }));
    await delivery(webhook, is('delivered'));
    expect((await shown(webhook)).failing_since).toBeNull();
  });

  describe('that is behind, so that several events are on their way at once,', () => {
    let webhook: Json;
    let answers: ServerResponse[];
    beforeEach(async () => {
      answers = [];
      receiver.respond = (_, response) => answers.push(response);
      webhook = await newWebhook(adminApi, { url: receiver.url });
      await ok(adminApi.patch(`webhooks/${webhook.webhook_id}`, { paused: true }));
      for (let nr = 0; nr < 20; nr++) await contact(`Contact ${nr}`);
      await until(async () => (await log(webhook)).length === 20);
      await ok(adminApi.patch(`webhooks/${webhook.webhook_id}`, { paused: false }));
      await receiver.waitFor(8);
    });

    const tried = async (count: number) =>
      until(async () => (await log(webhook)).filter(({ attempts }) => attempts > 0).length === count);

    it('takes the failures of those for one, not for one after the other', async () => {
      const rest = { 'retry-after': '3600' };
      for (const response of answers) response.writeHead(503, rest).end();
      await tried(8);
      const { rows } = await inDatabase((database) =>
        database.query('SELECT failures FROM webhook WHERE webhook_id = $1', [webhook.webhook_id]),
      );
      expect(rows).toEqual([{ failures: 1 }]);
    });

    it('stays paused by a 410 whatever the others are answered', async () => {
      answers.shift()!.writeHead(410).end();
      await tried(1);
      for (const response of answers) response.writeHead(503).end();
      await tried(8);
      expect((await shown(webhook)).paused_because).toBe('gone');
    });
  });

  it('that is paused is sent nothing, and when it is resumed all of it, in order', async () => {
    const webhook = await newWebhook(adminApi, { url: receiver.url });
    const paused = await ok(adminApi.patch(`webhooks/${webhook.webhook_id}`, { paused: true }));
    expect(paused).toMatchObject({ paused: true, paused_because: 'asked' });
    for (let nr = 0; nr < 5; nr++) await contact(`Contact ${nr}`);
    await until(async () => (await log(webhook, { status: 'pending' })).length === 5);
    expect(receiver.seen).toHaveLength(0);
    await ok(adminApi.patch(`webhooks/${webhook.webhook_id}`, { paused: false }));
    await receiver.waitFor(5);
    expect(receiver.seen.map(({ id }) => id)).toEqual((await feed()).map(({ event_id }) => event_id));
  });

  it('with a new address is sent there what the old one did not take', async () => {
    receiver.respond = answering(503, { 'retry-after': '3600' });
    const webhook = await newWebhook(adminApi, { url: receiver.url });
    await contact();
    await delivery(webhook, is('retrying'));
    const second = await startReceiver();
    await ok(adminApi.patch(`webhooks/${webhook.webhook_id}`, { url: second.url, description: 'Moved' }));
    verified(webhook.secret, (await second.waitFor(1))[0]!);
    expect(await shown(webhook)).toMatchObject({ url: second.url, description: 'Moved' });
    await second.close();
  });

  it('with other types is sent those from then on', async () => {
    const { webhook_id } = await newWebhook(adminApi, { url: receiver.url, types: ['CompanyCreated'] });
    const types = ['ContactCreated'];
    expect(await ok(adminApi.patch(`webhooks/${webhook_id}`, { types }))).toMatchObject({ types });
    await ok(api.post('companies', { name: 'Navy' }));
    await contact();
    await receiver.waitFor(1);
    expect(receiver.seen.map(({ event }) => event.type)).toEqual(types);
  });

  it('that is removed is gone with its log, and sent nothing more', async () => {
    const { webhook_id } = await newWebhook(adminApi, { url: receiver.url });
    expect((await adminApi.delete(`webhooks/${webhook_id}`)).status).toBe(204);
    for (const path of ['', '/deliveries'])
      expectProblem(await adminApi.get(`webhooks/${webhook_id}${path}`), 404, 'webhook_not_found');
    expectProblem(await adminApi.delete(`webhooks/${webhook_id}`), 404, 'webhook_not_found');
    const other = await newWebhook(adminApi, { url: receiver.url });
    await contact();
    await delivery(other, is('delivered'));
    expect(receiver.seen).toHaveLength(1);
  });

  it('can be tried, paused or not, and answers with the outcome', async () => {
    const { webhook_id, secret } = await newWebhook(adminApi, { url: receiver.url });
    await ok(adminApi.patch(`webhooks/${webhook_id}`, { paused: true }));
    const outcome = await ok(adminApi.post(`webhooks/${webhook_id}/test`));
    expect(outcome).toEqual({
      event_id: receiver.seen[0]!.id,
      delivered: true,
      status_code: 204,
      error: null,
      duration_ms: expect.any(Number),
    });
    const event = verified(secret, receiver.seen[0]!);
    expect(event).toMatchObject({ type: 'WebhookTest', event_id: outcome.event_id, data: { webhook_id } });
    const document = await openApi();
    const { schema } = document.webhooks.WebhookTest.post.requestBody.content['application/json'];
    expect(mismatches(document, schema, event)).toEqual([]);
    receiver.respond = answering(500);
    expect(await ok(adminApi.post(`webhooks/${webhook_id}/test`))).toMatchObject({
      delivered: false,
      status_code: 500,
      error: 'answered 500',
    });
    expect(await log({ webhook_id })).toEqual([]);
    expect(await feed()).toEqual([]);
  });
});

describe('the secret', () => {
  it('is shown once, and the database holds it sealed', async () => {
    const webhook = await newWebhook(adminApi, { url: receiver.url });
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...rest } = webhook;
    expect(await shown(webhook)).toEqual(rest);
    expect((await ok(adminApi.get('webhooks'))).data).toEqual([rest]);
    const { rows } = await inDatabase((database) => database.query('SELECT * FROM webhook'));
    const dump = rows.map((row) => JSON.stringify(row) + row.secrets.toString('latin1')).join();
    expect(dump).not.toContain(secret.slice('whsec_'.length));
  });

  it('that was rotated signs beside the new one for the overlap', async () => {
    const { webhook_id, secret: old } = await newWebhook(adminApi, { url: receiver.url });
    const { secret } = await ok(adminApi.post(`webhooks/${webhook_id}/rotate`, {}));
    expect(secret).not.toBe(old);
    await contact();
    const [received] = await receiver.waitFor(1);
    expect(String(received!.headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const one of [old, secret]) verified(one, received!);
  });

  it('that was rotated without an overlap signs no more', async () => {
    const { webhook_id, secret: old } = await newWebhook(adminApi, { url: receiver.url });
    const { secret } = await ok(adminApi.post(`webhooks/${webhook_id}/rotate`, { overlap_seconds: 0 }));
    await contact();
    const [received] = await receiver.waitFor(1);
    expect(String(received!.headers['webhook-signature']).split(' ')).toHaveLength(1);
    verified(secret, received!);
    expect(() => verified(old, received!)).toThrow();
  });

  describe('that another key has sealed', () => {
    const broken = async ({ webhook_id }: Json): Promise<void> => {
      await inDatabase((database) =>
        database.query(`UPDATE webhook SET secrets = '\\x00' WHERE webhook_id = $1`, [webhook_id]),
      );
    };

    it('has its tries fail and the endpoint rest, for a reason that names the key', async () => {
      const webhook = await newWebhook(adminApi, { url: receiver.url });
      await broken(webhook);
      await contact();
      const { last_error } = await delivery(webhook, is('retrying'));
      expect(last_error).toMatch(/PARLEY_SECRET_KEY/);
      expect((await shown(webhook)).failing_since).toMatch(INSTANT);
      const tried = await ok(adminApi.post(`webhooks/${webhook.webhook_id}/test`));
      expect(tried).toMatchObject({ delivered: false, status_code: null, error: last_error });
      expect(receiver.seen).toEqual([]);
    });

    it('gives way to a new one, by which what waits is sent', async () => {
      const webhook = await newWebhook(adminApi, { url: receiver.url });
      await broken(webhook);
      await contact();
      await delivery(webhook, is('retrying'));
      const { secret } = await ok(adminApi.post(`webhooks/${webhook.webhook_id}/rotate`, {}));
      const [received] = await receiver.waitFor(1);
      expect(verified(secret, received!)).toMatchObject({ type: 'ContactCreated' });
      expect(await shown(webhook)).toMatchObject({ failing_since: null });
    });
  });
});

describe('the log', () => {
  it('is paged by key, newest first, and narrowed by status and event', async () => {
    const webhook = await newWebhook(adminApi, { url: receiver.url });
    for (let nr = 0; nr < 7; nr++) await contact(`Contact ${nr}`);
    await until(async () => (await log(webhook, { status: 'delivered' })).length === 7);
    const all = await log(webhook);
    expect(all.map(({ event_id }) => event_id).toReversed()).toEqual(
      (await feed()).map((one) => one.event_id),
    );
    const path = `webhooks/${webhook.webhook_id}/deliveries`;
    const paged: Json[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await ok(adminApi.get(path, { limit: 3, cursor }));
      paged.push(...page.data);
      if (!page.pagination.has_more) break;
      cursor = page.pagination.next_cursor;
    }
    expect(paged).toEqual(all);
    expect(await log(webhook, { event_id: all[3].event_id })).toEqual([all[3]]);
    expect(await log(webhook, { status: 'failed' })).toEqual([]);
    expectProblem(await adminApi.get(path, { status: 'lost' }), 400, 'validation_failed', 'status');
  });

  it('has what was delivered sent once more on demand, under the same webhook-id', async () => {
    const webhook = await newWebhook(adminApi, { url: receiver.url });
    await contact();
    const { delivery_id, event_id } = await delivery(webhook, is('delivered'));
    const path = `webhooks/${webhook.webhook_id}/deliveries/${delivery_id}/redeliver`;
    expect(await ok(adminApi.post(path))).toMatchObject({ delivery_id, status: 'pending', attempts: 0 });
    await receiver.waitFor(2);
    expect(receiver.seen.map(({ id }) => id)).toEqual([event_id, event_id]);
    expect(await delivery(webhook, is('delivered'))).toMatchObject({ attempts: 1 });
  });
});

describe('a webhook of another organization', () => {
  it('is not found on any route, as one that does not exist', async () => {
    const other = await newWorkspace();
    const foreign = await newWebhook(other.adminApi, { url: receiver.url });
    await ok(other.api.post('contacts', { name: 'Other' }));
    let deliveries: Json[] = [];
    await until(async () => {
      const path = `webhooks/${foreign.webhook_id}/deliveries`;
      deliveries = (await ok(other.adminApi.get(path, { status: 'delivered' }))).data;
      return deliveries.length > 0;
    });
    const own = await newWebhook(adminApi, { url: receiver.url });
    for (const id of [foreign.webhook_id, `webhook_${NOWHERE}`, 'x', `org_${NOWHERE}`]) {
      const path = `webhooks/${id}`;
      for (const answer of [
        await adminApi.get(path),
        await adminApi.patch(path, { paused: true }),
        await adminApi.delete(path),
        await adminApi.post(`${path}/rotate`, {}),
        await adminApi.post(`${path}/test`),
        await adminApi.get(`${path}/deliveries`),
        await adminApi.post(`${path}/deliveries/${deliveries[0].delivery_id}/redeliver`),
      ])
        expectProblem(answer, 404, 'webhook_not_found');
    }
    const path = `webhooks/${own.webhook_id}/deliveries/${deliveries[0].delivery_id}/redeliver`;
    expectProblem(await adminApi.post(path), 404, 'delivery_not_found');
    expect(await ok(other.adminApi.get(`webhooks/${foreign.webhook_id}`))).toMatchObject({ paused: false });
    const nowhere = workspace.admin.with({});
    expectProblem(await nowhere.get(`organizations/org_${NOWHERE}/webhooks`), 404, 'organization_not_found');
  });
});

describe('the body of a webhook', () => {
  const create = (body: object) => adminApi.post('webhooks', body);

  it('gives back what was set', async () => {
    const body = { url: receiver.url, types: ['ContactCreated'], description: 'Copies' };
    const answer = await create(body);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...body,
      webhook_id: expect.stringMatching(/^webhook_[0-7][0-9a-z]{25}$/),
      paused: false,
      paused_at: null,
      paused_because: null,
      failing_since: null,
      created_at: expect.stringMatching(INSTANT),
      secret: expect.any(String),
    });
    expect((await create({ url: receiver.url })).body).toMatchObject({ types: [], description: null });
  });

  it.each([
    'x',
    '/hook',
    'ftp://receiver.example.com/',
    'javascript:alert(1)',
    'http://receiver:secret@127.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://0x0a000001/',
    'https://167772161/',
    'https://012.0.0.1/',
    'http://93.184.215.14/',
    '',
  ])('is refused with the URL %s', async (url) => {
    expectProblem(await create({ url }), 400, 'validation_failed', 'url');
    const { webhook_id } = await newWebhook(adminApi, { url: receiver.url });
    expectProblem(await adminApi.patch(`webhooks/${webhook_id}`, { url }), 400, 'validation_failed', 'url');
    expect((await shown({ webhook_id })).url).toBe(receiver.url);
  });

  it('is refused with an unknown event type', async () => {
    for (const types of [['Nonsense'], ['ContactCreated', '__proto__'], [1], 'ContactCreated', null])
      expectProblem(await create({ url: receiver.url, types }), 400, 'validation_failed', 'types');
  });
});
