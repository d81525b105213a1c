import type { Database } from '#database/database.js';
import { WorkerLiveness } from '#database/monitoring/worker-liveness.js';
import { EventStore } from '#event-store/event-store.js';
import { ProjectionRunner } from '#event-store/projection-runner.js';
import { newId } from '#kernel/id.js';
import { now, plusSeconds } from '#kernel/instant.js';
import { Pages } from '#http/paging/page.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { rawAppend } from '../../test/support/database/raw-append.js';
import { untilAllIsReadable } from '../../test/support/until.js';
import { SettingsLog } from '../workspace/workspace.contract.js';
import { PublicEvents } from '../events/events.contract.js';
import { WebhookDeliveryQueries } from './deliveries.queries.js';
import { type Claimed, type DueWebhook, LaneQueries } from './lanes.queries.js';
import { KEPT_SECONDS } from './retention.js';
import { HEALTHY } from './retries.js';
import { webhookDeliveries } from './webhooks.projection.js';
import { WebhookQueries } from './webhooks.queries.js';

const form = { meaning: '', version: 1, data: Object, show: () => ({}) };
const EVENTS = new PublicEvents([
  { A: form, B: form, C: form, Old: form, New: form, Before: form },
  { Opening: { ...form, holds: { type: 'B', show: () => ({}) } } },
]);
const WORKER = 1;
const OTHER = 2;
const DELIVERED = {
  reply: { status_code: 200, error: null, retry_after_seconds: null, duration_ms: 1 },
  tried: { status: 'delivered', attempts: 1, due_at: null },
  health: HEALTHY,
  pause: null,
} as const;

/** The audit log is no matter here. */
const untold = () => Promise.resolve();

let test: TestDatabase;
let database: Database;
let webhooks: WebhookQueries;
let lanes: LaneQueries;
let log: WebhookDeliveryQueries;
let runner: ProjectionRunner;
let woken: string[];

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
  webhooks = new WebhookQueries(database, new SettingsLog(new EventStore(database, {})));
  lanes = new LaneQueries(database);
  log = new WebhookDeliveryQueries(database, new Pages(database, Buffer.alloc(32)));
  const deliveries = webhookDeliveries(
    (stored, asked) => EVENTS.typeFor(stored, asked),
    ({ webhookId }) => woken.push(webhookId),
  );
  runner = new ProjectionRunner(database, [deliveries], {}, () => {});
});
afterAll(() => test.close());

let organizationId: string;
beforeEach(() => {
  organizationId = newId('org');
  woken = [];
});

async function newWebhook(types: string[] = []): Promise<DueWebhook> {
  const webhook_id = newId('webhook');
  const row = {
    organization_id: organizationId,
    webhook_id,
    url: 'https://receiver.example.com/',
    types,
    description: null,
    secrets: Buffer.alloc(1),
    paused_at: null,
    paused_because: null,
    created_at: now(),
  };
  await webhooks.insert(row, untold);
  return { organization_id: organizationId, webhook_id, gone_worker: null };
}

async function append(...types: string[]): Promise<void> {
  const events = types.map((type) => ({ type, data: {} }));
  await database.query(rawAppend(organizationId, [{ id: newId('contact'), type: 'x', expected: 0, events }]));
}

async function catchUp(): Promise<void> {
  await untilAllIsReadable(database);
  await runner.catchUp();
}

const recorded = async ({ webhook_id }: DueWebhook) =>
  (await log.list(organizationId, webhook_id, { limit: 200 })).data.toReversed();
const typesOf = async (webhook: DueWebhook) => (await recorded(webhook)).map(({ type }) => type);
const execute = (text: string, ...values: unknown[]) => database.query({ text, values });

describe('the record of what is to be sent', () => {
  it('holds what happened since the webhook was made, of its types, and nothing that is not public', async () => {
    await append('Before');
    const [all, some] = [await newWebhook(), await newWebhook(['B'])];
    await append('A', 'Hidden', 'B');
    await catchUp();
    expect(await typesOf(all)).toEqual(['A', 'B']);
    expect(await typesOf(some)).toEqual(['B']);
    expect(new Set(woken)).toEqual(new Set([all.webhook_id, some.webhook_id]));
  });

  it('holds an event as one that it holds for whoever asks for that alone, and each event once', async () => {
    const asked = [[], ['B'], ['B', 'Opening'], ['Opening'], ['A']];
    const all = [];
    for (const types of asked) all.push(await newWebhook(types));
    await append('Opening', 'B');
    await catchUp();
    const found = [];
    for (const webhook of all) found.push(await typesOf(webhook));
    expect(found).toEqual([['Opening', 'B'], ['B', 'B'], ['Opening', 'B'], ['Opening'], []]);
  });

  it('holds nothing twice when the feed is read again from its beginning', async () => {
    const webhook = await newWebhook();
    await append('A', 'B');
    await catchUp();
    const before = await recorded(webhook);
    await execute('DELETE FROM es_checkpoint');
    await catchUp();
    expect(await recorded(webhook)).toEqual(before);
  });

  it('takes in nothing anew that has left the log', async () => {
    const webhook = await newWebhook();
    await execute(`UPDATE webhook SET created_at = created_at - interval '60 days'`);
    await append('Old');
    await append('New');
    const old = plusSeconds(now(), -KEPT_SECONDS - 1);
    await execute(`UPDATE es_event SET occurred_at = $1 WHERE type = 'Old'`, old);
    await catchUp();
    expect(await typesOf(webhook)).toEqual(['New']);
  });

  it('goes on in a cluster whose transaction ids begin anew', async () => {
    const webhook = await newWebhook();
    await execute(`UPDATE webhook SET since_tx = '9000000000'`);
    await append('A');
    await catchUp();
    expect(await typesOf(webhook)).toEqual(['A']);
  });

  it('goes on while the webhook is paused', async () => {
    const webhook = await newWebhook();
    const settings = { paused_at: now(), paused_because: 'asked' } as const;
    await webhooks.change(organizationId, webhook.webhook_id, () => ({ settings, anew: false }), untold);
    await append('A');
    await catchUp();
    expect(await typesOf(webhook)).toEqual(['A']);
    expect(await lanes.claim(webhook, WORKER)).toBeNull();
  });
});

describe('the log', () => {
  it('forgets what is older than it reaches back, whatever became of it, and nothing else', async () => {
    const webhook = await newWebhook();
    await append('A', 'B', 'C');
    await catchUp();
    const old = plusSeconds(now(), -KEPT_SECONDS - 1);
    await execute(`UPDATE webhook_delivery SET created_at = $1 WHERE type IN ('A', 'B')`, old);
    while (await log.forget(1));
    expect(await typesOf(webhook)).toEqual(['C']);
  });
});

describe('a lane', () => {
  let webhook: DueWebhook;
  beforeEach(async () => {
    webhook = await newWebhook();
    await append('A', 'B');
    await catchUp();
  });

  const claim = (worker: number, gone_worker: number | null = null): Promise<Claimed | null> =>
    lanes.claim({ ...webhook, gone_worker }, worker);
  const endLease = () =>
    execute(`UPDATE webhook SET lease_until = now() WHERE webhook_id = $1`, webhook.webhook_id);
  const record = async (lane: Claimed, nr = 0) => {
    const due = await lanes.due(lane, 10);
    return lanes.record(lane, due[nr]!, { ...DELIVERED, at: now() });
  };
  const isDue = async (worker = OTHER, running: string[] = []) =>
    (await lanes.dueWebhooks(worker, running, 100)).find(
      ({ webhook_id }) => webhook_id === webhook.webhook_id,
    );

  it('is one process’s at a time, until that gives it back', async () => {
    const lane = await claim(WORKER);
    expect(await claim(OTHER)).toBeNull();
    await lanes.release(lane!);
    expect(await claim(OTHER)).not.toBeNull();
  });

  it('is free when its lease is over', async () => {
    await claim(WORKER);
    await endLease();
    expect(await isDue()).toMatchObject({ gone_worker: null });
    expect(await claim(OTHER)).not.toBeNull();
  });

  it('of a process that is gone is taken over at once', async () => {
    await claim(WORKER);
    expect(await isDue()).toMatchObject({ gone_worker: WORKER });
    expect(await claim(OTHER, WORKER)).not.toBeNull();
  });

  it('of a living process is due to that one alone, which may not know that it has it', async () => {
    const liveness = new WorkerLiveness(database);
    const own = await liveness.id();
    await claim(own);
    expect(await isDue()).toBeUndefined();
    expect(await isDue(own)).toMatchObject({ gone_worker: null });
    expect(await isDue(own, [webhook.webhook_id])).toBeUndefined();
    liveness.leave();
  });

  it('that was taken over is lost to the first, who changes nothing that the second has done', async () => {
    const first = (await claim(WORKER))!;
    await endLease();
    const [due] = await lanes.due(first, 10);
    const second = (await claim(OTHER))!;
    expect(await record(second)).toBe(true);
    const failed = {
      ...DELIVERED,
      tried: { status: 'failed', attempts: 1, due_at: null },
      pause: 'gone',
    } as const;
    expect(await lanes.record(first, due!, { ...failed, at: now() })).toBe(false);
    await lanes.release(first);
    expect((await recorded(webhook)).map(({ status }) => status)).toEqual(['delivered', 'pending']);
    expect((await webhooks.webhook(organizationId, webhook.webhook_id))!.paused_at).toBeNull();
    expect(await claim(WORKER)).toBeNull();
  });

  it('is lost with a change of the webhook, and what came of the try under way is kept all the same', async () => {
    const lane = (await claim(WORKER))!;
    const [due] = await lanes.due(lane, 10);
    const settings = { types: ['A'] };
    await webhooks.change(organizationId, webhook.webhook_id, () => ({ settings, anew: false }), untold);
    expect(await lanes.record(lane, due!, { ...DELIVERED, at: now() })).toBe(false);
    expect((await recorded(webhook)).map(({ status }) => status)).toEqual(['delivered', 'pending']);
  });

  it('is not there while the endpoint rests', async () => {
    const lane = (await claim(WORKER))!;
    const [due] = await lanes.due(lane, 10);
    const at = now();
    const health = { failures: 1, failing_since: at, resting_until: plusSeconds(at, 60) };
    await lanes.record(lane, due!, { ...DELIVERED, health, at });
    await lanes.release(lane);
    expect(await isDue()).toBeUndefined();
    expect(await claim(OTHER)).toBeNull();
  });
});
