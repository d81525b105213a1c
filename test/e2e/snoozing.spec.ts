import { type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { auditOf, changesOf } from '../support/clients/audit.js';
import { readFeed } from '../support/clients/feed.js';
import { receivedMail } from '../support/data/mail.js';
import { execute } from '../support/database/execute.js';
import { Cluster } from '../support/server/cluster.js';
import { until } from '../support/until.js';

const nowMs = (): number => performance.timeOrigin + performance.now();
/** The instant so many seconds from now, as it is answered. */
const inSeconds = (seconds: number): string =>
  new Date(nowMs() + seconds * 1_000).toISOString().replace('Z', '000Z');
const snoozed = (seconds: number): Json => ({ status: 'snoozed', snoozed_until: inSeconds(seconds) });
const pathTo = ({ conversation_id }: Json): string => `conversations/${conversation_id}`;

const shownIn = ({ api }: Workspace, one: Json): Promise<Json> => ok(api.get(pathTo(one)));
const patchIn = ({ api }: Workspace, one: Json, changes: Json): Promise<Json> =>
  ok(api.patch(pathTo(one), changes));
const wokenIn = async ({ api }: Workspace): Promise<Json[]> =>
  (await readFeed(api, { types: 'ConversationWoken', limit: 200 })).data;

describe('a snoozed conversation', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await newWorkspace();
  });

  it('is open again from its instant on, and not before', async () => {
    const one = await receivedMail(workspace);
    const asleep = await patchIn(workspace, one, snoozed(1));
    const due = Date.parse(asleep.snoozed_until);
    await until(async () => (await shownIn(workspace, one)).status === 'open');
    const woken = await shownIn(workspace, one);
    const at = Date.parse(woken.updated_at);
    expect(at).toBeGreaterThanOrEqual(due);
    expect(woken).toEqual({ ...asleep, status: 'open', snoozed_until: null, updated_at: woken.updated_at });
    const [event, ...more] = (await wokenIn(workspace)).filter(
      ({ stream }) => stream.id === one.conversation_id,
    );
    expect(event).toMatchObject({ data: { snoozed_until: asleep.snoozed_until }, actor: { type: 'system' } });
    expect(more).toEqual([]);
    const records = await auditOf(workspace, one.conversation_id);
    expect(records.at(-1)).toMatchObject({ action_type: 'update', actor: { type: 'system', id: null } });
    expect(changesOf(records.at(-1))).toEqual({
      status: ['snoozed', 'open'],
      snoozed_until: [asleep.snoozed_until, null],
    });
  });

  it('that was opened, closed or snoozed for longer meanwhile does not wake up', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => receivedMail(workspace)));
    const [opened, closed, moved, last] = all as [Json, Json, Json, Json];
    // Asleep until all three are changed, on a busy machine too.
    await Promise.all(all.map((one) => patchIn(workspace, one, snoozed(8))));
    const states = [
      await patchIn(workspace, opened, { status: 'open' }),
      await patchIn(workspace, closed, { status: 'closed' }),
      await patchIn(workspace, moved, { snoozed_until: inSeconds(600) }),
    ];
    await until(async () => (await shownIn(workspace, last)).status === 'open');
    expect(await Promise.all([opened, closed, moved].map((one) => shownIn(workspace, one)))).toEqual(states);
    const woken = (await wokenIn(workspace)).map(({ stream }) => stream.id);
    for (const one of [opened, closed, moved]) expect(woken).not.toContain(one.conversation_id);
  });

  it('wakes up among many that are due at once', async () => {
    const many = await newWorkspace();
    const all = await Promise.all(Array.from({ length: 150 }, () => receivedMail(many)));
    const until_ = snoozed(8);
    await Promise.all(all.map((one) => patchIn(many, one, until_)));
    await until(async () => (await wokenIn(many)).length === all.length);
    const { data } = await ok(many.api.get('conversations', { status: 'snoozed' }));
    expect(data).toEqual([]);
  });
});

describe('with workers of their own', () => {
  const cluster = new Cluster();
  beforeAll(() => cluster.start(['api', 'worker', 'worker']));
  afterAll(() => cluster.close());

  it('all that are snoozed to an instant have one job, and wake up without it as well', async () => {
    const there = await newWorkspace({ url: cluster.processes[0]!.server.url });
    const all = await Promise.all(Array.from({ length: 4 }, () => receivedMail(there)));
    const [one, ...others] = all as [Json, ...Json[]];
    await patchIn(there, one, snoozed(3));
    const changes = snoozed(4);
    const conversation_ids = others.map(({ conversation_id }) => conversation_id);
    await ok(there.api.post('conversations/bulk', { conversation_ids, changes }));
    const jobs = async () => {
      const asked = { activeQueue: 'snooze', status: 'delayed', page: '1' };
      const { queues } = await ok(there.admin.send('GET', '/admin/queues/api/queues', { query: asked }));
      return queues.find(({ name }: Json) => name === 'snooze').jobs as Json[];
    };
    await until(async () => (await jobs()).length === 2);
    for (const { data } of await jobs()) expect(data).toEqual({ organizationId: there.organizationId });
    await execute(cluster.databaseUrl, `DELETE FROM bullmq.job WHERE queue = 'snooze'`);
    await until(async () => (await wokenIn(there)).length === all.length);
  });

  it('each wakes up once', async () => {
    const there = await newWorkspace({ url: cluster.processes[0]!.server.url });
    const all = await Promise.all(Array.from({ length: 120 }, () => receivedMail(there)));
    await Promise.all(all.map((one, nr) => patchIn(there, one, snoozed(8 + (nr % 30) / 10))));
    await until(
      async () => (await ok(there.api.get('conversations', { status: 'snoozed' }))).data.length === 0,
    );
    // The feed shows them once nothing before them can still come.
    await until(async () => (await wokenIn(there)).length >= all.length);
    const woken = (await wokenIn(there)).map(({ stream }) => stream.id);
    expect(woken.toSorted()).toEqual(all.map(({ conversation_id }) => conversation_id).toSorted());
  });
});
