import { type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { receivedMail } from '../support/data/mail.js';
import { Cluster } from '../support/server/cluster.js';
import { until } from '../support/until.js';
import { verify } from '../support/server/verify.js';

const SNOOZED = 150;

/** The instant so many seconds from now. */
const inSeconds = (seconds: number): string =>
  new Date(performance.timeOrigin + performance.now() + seconds * 1_000).toISOString();
const wokenIn = async ({ api }: Workspace): Promise<string[]> =>
  (await ok(api.get('events', { types: 'ConversationWoken', limit: 200 }))).data.map(
    ({ stream }: Json) => stream.id,
  );

describe('kill -9 of workers while conversations wake up', () => {
  const cluster = new Cluster();
  beforeAll(() => cluster.start(['api', 'worker', 'worker']));
  afterAll(() => cluster.close());

  it('leaves none asleep, once there is a worker again, and wakes none twice', async () => {
    const there = await newWorkspace({ url: cluster.processes[0]!.server.url });
    const snooze = (count: number, seconds: (nr: number) => number) =>
      Promise.all(
        Array.from({ length: count }, async (_, nr) => {
          const { conversation_id } = await receivedMail(there);
          const snoozed_until = inSeconds(seconds(nr));
          await ok(there.api.patch(`conversations/${conversation_id}`, { status: 'snoozed', snoozed_until }));
          return conversation_id as string;
        }),
      );
    const ids = await snooze(SNOOZED, (nr) => 8 + (nr % 50) / 10);
    await until(async () => (await wokenIn(there)).length > 0);
    await cluster.processes[1]!.server.kill();
    await until(async () => (await wokenIn(there)).length > SNOOZED / 4);
    await cluster.processes[2]!.server.kill();
    const asleep = async () => (await ok(there.api.get('conversations', { status: 'snoozed' }))).data.length;
    // These fall due while there is no worker at all.
    ids.push(...(await snooze(10, () => 10)));
    expect(await asleep()).toBeGreaterThan(0);
    await cluster.restart(1);
    await until(async () => (await asleep()) === 0);
    await until(async () => (await wokenIn(there)).length >= ids.length);
    expect((await wokenIn(there)).toSorted()).toEqual(ids.toSorted());
    expect(await verify(cluster.dataDir)).not.toContain('DIFFERS');
  });
});
