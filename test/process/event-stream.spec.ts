import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Json, newKey, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { openStream, type Stream } from '../support/clients/event-stream.js';
import { expectProblem } from '../support/clients/expectations.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { until } from '../support/until.js';

let workspace: Workspace;
beforeEach(async () => (workspace = await newWorkspace()));

const opened: Stream[] = [];
const stream = async (...asked: Parameters<typeof openStream>): Promise<Stream> => {
  const one = await openStream(...asked);
  opened.push(one);
  return one;
};
afterEach(() => opened.splice(0).forEach((one) => one.close()));

const contacts = async (count: number, api = workspace.api): Promise<void> => {
  for (let nr = 0; nr < count; nr++) await ok(api.post('contacts', { name: `Grace ${nr}` }));
};

/** The feed as JSON, once it has so many events. */
async function feed(count: number, query: Record<string, string> = {}): Promise<Json[]> {
  let data: Json[] = [];
  await until(async () => {
    ({ data } = await ok(workspace.api.get('events', { ...query, limit: 200 })));
    return data.length >= count;
  });
  return data;
}

describe('the stream of events', () => {
  it('has from the beginning what the feed has, each event with its position as id, and goes on with what happens', async () => {
    await contacts(3);
    const live = await stream(workspace.api);
    expect([live.status, live.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await live.got(3);
    await contacts(2);
    await live.got(5);
    const events = await feed(5);
    expect(live.frames).toEqual(events.map((event) => ({ id: event.position, event })));
  });

  it('goes on after a position, and after that of Last-Event-ID, which wins', async () => {
    await contacts(4);
    const [first, second, ...others] = (await feed(4)).map(({ position }) => position);
    const after = await stream(workspace.api, { after: second });
    expect(await after.got(2)).toEqual(others);
    const headed = await stream(workspace.api, { after: first }, { 'last-event-id': second });
    expect(await headed.got(2)).toEqual(others);
    const instead = await stream(workspace.api, { after: 'latest' }, { 'last-event-id': second });
    expect(await instead.got(2)).toEqual(others);
  });

  it('begins with what comes next after latest', async () => {
    await contacts(3);
    const live = await stream(workspace.api, { after: 'latest' });
    await contacts(2);
    await live.got(2);
    expect(live.frames.map(({ event }) => event.data.name)).toEqual(['Grace 0', 'Grace 1']);
    const empty = await newWorkspace();
    const first = await stream(empty.api, { after: 'latest' });
    await contacts(1, empty.api);
    await first.got(1);
  });

  it('tells at once from which place it goes on, so that nothing is missed where it breaks before the first event', async () => {
    await contacts(1);
    const broken = await stream(workspace.api, { after: 'latest' });
    await until(() => broken.places().length > 0);
    broken.close();
    await contacts(2);
    const next = await stream(workspace.api, { after: 'latest' }, { 'last-event-id': broken.places()[0]! });
    expect(await next.got(2)).toEqual((await feed(3)).slice(1).map(({ position }) => position));
  });

  it('takes the filters of the feed', async () => {
    await contacts(2);
    const [{ stream: record }] = (await feed(2)) as [Json];
    const sent = await stream(workspace.api, { types: 'TaskCreated,TaskCompleted' });
    const one = await stream(workspace.api, { record_id: record.id });
    const both = await stream(workspace.api, { record_id: record.id, types: 'ContactIdentityChanged' });
    await one.got(1);
    await ok(workspace.api.post('tasks', { title: 'Call' }));
    await contacts(1);
    await ok(workspace.api.patch(`contacts/${record.id}`, { name: 'Ada' }));
    await Promise.all([sent.got(1), one.got(2), both.got(1)]);
    const typesOf = ({ frames }: Stream) => frames.map(({ event }) => event.type);
    expect(typesOf(sent)).toEqual(['TaskCreated']);
    expect(typesOf(one)).toEqual(['ContactCreated', 'ContactIdentityChanged']);
    expect(typesOf(both)).toEqual(['ContactIdentityChanged']);
  });

  it('shows the first message of a conversation to those who ask for messages only, as the feed does', async () => {
    const live = await stream(workspace.api, { types: 'MessageRecorded', after: 'latest' });
    const message = { modality: 'text', message_direction: 'received', content: 'Hi' };
    await ok(workspace.api.post('messages', { ...message, contact: { name: 'Grace' } }));
    await live.got(1);
    expect(live.frames[0]!.event).toEqual((await feed(1, { types: 'MessageRecorded' }))[0]);
  });

  it('misses nothing and repeats nothing, however many write and whoever reconnects', async () => {
    const writing = Promise.all([1, 2, 3, 4].map(() => contacts(40)));
    const whole = await stream(workspace.api);
    const ids: string[] = [];
    while (ids.length < 160) {
      const part = await stream(workspace.api, {}, ids.length > 0 ? { 'last-event-id': ids.at(-1)! } : {});
      await part.got(Math.min(1 + Math.floor(Math.random() * 40), 160 - ids.length));
      part.close();
      ids.push(...part.frames.map(({ id }) => id));
    }
    await writing;
    const positions = (await feed(160)).map(({ position }) => position);
    expect(ids).toEqual(positions);
    expect(await whole.got(160)).toEqual(positions);
  });

  it('sends a comment every fifteen seconds, and stays open beyond any limit of a request', async () => {
    const live = await stream(workspace.api, { after: 'latest' });
    await until(() => live.places().length >= 4);
    expect(live.ended()).toBe(false);
    await contacts(1);
    await live.got(1);
  });

  it.each([
    ['after', { after: 'yesterday' }, {}],
    ['types', { types: 'NothingHappened' }, {}],
    ['after', { after: '' }, {}],
  ])('with a malformed %s is refused, naming it', async (field, query, headers) => {
    const api = workspace.api.with({ accept: 'text/event-stream', ...headers });
    expectProblem(await api.get('events', query), 400, 'validation_failed', field);
  });

  it('with a malformed Last-Event-ID is refused, naming it', async () => {
    const api = workspace.api.with({ accept: 'text/event-stream', 'last-event-id': 'latest' });
    expectProblem(await api.get('events'), 400, 'validation_failed', 'Last-Event-ID');
  });

  it('needs a key that sees the organization', async () => {
    const other = await newWorkspace();
    const api = new Client(workspace.api.url, workspace.api.base, {
      ...other.api.headers,
      accept: 'text/event-stream',
    });
    expectProblem(await api.get('events'), 404, 'organization_not_found');
    expectProblem(await api.with({ 'x-api-key': '' }).get('events'), 401, 'unauthorized');
  });

  it('is for those who prefer it; all others get the feed as JSON', async () => {
    await contacts(1);
    for (const accept of [
      '*/*',
      'application/json',
      'text/event-stream;q=0.5, application/json',
      'text/event-stream;q=0',
      'text/html, */*;q=0.8',
    ]) {
      const answer = await workspace.api.with({ accept }).get('events');
      expect([accept, answer.headers.get('content-type')?.split(';')[0]]).toEqual([
        accept,
        'application/json',
      ]);
      expect(answer.headers.get('vary')).toContain('Accept');
    }
    const live = await stream(workspace.api, {}, { accept: 'application/json;q=0.5, text/event-stream' });
    await live.got(1);
    expectProblem(await workspace.api.get('events', { after: 'latest' }), 400, 'validation_failed', 'after');
    const head = await workspace.api.send('HEAD', 'events', { headers: { accept: 'text/event-stream' } });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });

  it('ends within five seconds when its key is revoked, and when it expires', async () => {
    const { admin, organizationId, api } = workspace;
    const { key_id, api_key } = await ok(newKey(admin, organizationId));
    const expires_at = new Date(Date.now() + 3_000).toISOString();
    const brief = await ok(newKey(admin, organizationId, { expires_at }));
    const [revoked, expiring, other] = await Promise.all([
      stream(api.with({ 'x-api-key': api_key })),
      stream(api.with({ 'x-api-key': brief.api_key })),
      stream(api),
    ]);
    await ok(admin.delete(`api-keys/${key_id}`));
    await until(() => revoked.ended() && expiring.ended());
    expect(Date.now() - Date.parse(expires_at)).toBeGreaterThan(0);
    expect(other.ended()).toBe(false);
  });
});

describe('a process of its own', () => {
  let server: Server;
  let dataDir: string;
  beforeEach(async () => {
    dataDir = newDataDir();
    const DATABASE_URL = await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!);
    server = await startServer({ entry: 'api', dataDir, env: { DATABASE_URL } });
  });
  afterEach(async () => {
    await server.stop();
    removeDataDir(dataDir);
  });
  const elsewhere = () => new Client(server.url, workspace.api.base, workspace.api.headers);

  it('sends what others commit', async () => {
    const live = await stream(elsewhere(), { after: 'latest' });
    await contacts(2);
    await live.got(2);
  });

  it('ends the streams when it ends, and their readers go on elsewhere', async () => {
    const live = await stream(elsewhere());
    await contacts(1);
    const [last] = await live.got(1);
    await server.stop();
    await until(() => live.ended());
    await contacts(1);
    const next = await stream(workspace.api, {}, { 'last-event-id': last! });
    await next.got(1);
  });

  it('keeps nothing for readers who take nothing, who get everything when they do', async () => {
    const memory = async (): Promise<number> => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)![1]);
    };
    const api = elsewhere();
    const slow = await Promise.all(
      Array.from({ length: 20 }, () =>
        fetch(`${api.url}${api.path('events')}`, {
          headers: { ...api.headers, accept: 'text/event-stream' },
        }),
      ),
    );
    const before = await memory();
    const notes = 'x'.repeat(900_000);
    for (let nr = 0; nr < 15; nr++) await ok(api.post('tasks', { title: 'Call', notes }));
    await sleep(1_000);
    // Of 13 MB for each of twenty, each keeps one event at most.
    expect((await memory()) - before).toBeLessThan(150_000_000);
    const reader = slow[0]!.body!.getReader();
    let text = '';
    for (const decoder = new TextDecoder(); text.split('\nid: ').length <= 15;) {
      const { value, done } = await reader.read();
      if (done) throw new Error('The stream has ended.');
      text += decoder.decode(value, { stream: true });
    }
    await Promise.all(slow.slice(1).map(({ body }) => body!.cancel()));
    await reader.cancel();
  });
});
