import { jest } from '@jest/globals';
import { createClient, type FeedEvent } from './client.js';

/** What comes on a connection before it breaks; without an end it stays open. */
type Connection = { sent: string[]; stays?: boolean } | Response | Error;

const OPENED = ': 00-00\n\n';
const event = (position: string) => `id: ${position}\ndata: ${JSON.stringify({ position })}\n\n`;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A client of a service on which these connections come to stand, one after the other. */
function clientOf(connections: Connection[]) {
  const asked: { query: string; accept: string | null; last: string | null; at: number }[] = [];
  let left = 0;
  const client = createClient({
    baseUrl: 'http://service.example',
    organizationId: 'org_1',
    fetch: async ({ url, headers }) => {
      asked.push({
        query: decodeURIComponent(new URL(url).search),
        accept: headers.get('accept'),
        last: headers.get('last-event-id'),
        at: Date.now(),
      });
      const next = connections.shift();
      if (next === undefined) throw new TypeError('fetch failed');
      if (next instanceof Error) throw next;
      if (next instanceof Response) return next;
      const bytes = new TextEncoder();
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const text of next.sent) controller.enqueue(bytes.encode(text));
        },
        pull(controller) {
          if (!next.stays) controller.error(new TypeError('terminated'));
        },
        cancel: () => void left++,
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  return { client, asked, left: () => left };
}

/** The positions of so many events, or of all until it ends, while the clock runs. */
async function positionsOf(events: AsyncIterable<FeedEvent>, count = Infinity): Promise<string[]> {
  const got: string[] = [];
  let isDone = false;
  const read = async () => {
    for await (const { position } of events) if (got.push(position) === count) break;
  };
  const reading = read().finally(() => (isDone = true));
  reading.catch(() => undefined);
  while (!isDone) await jest.advanceTimersByTimeAsync(100);
  await reading;
  return got;
}

describe('the stream of events', () => {
  it('is asked for from a place, with its filters', async () => {
    const { client, asked } = clientOf([{ sent: [OPENED, event('1-1')] }]);
    const types = ['TaskCreated', 'TaskDeleted'] as const;
    await positionsOf(client.events({ after: 'latest', types, recordId: 'task_1' }), 1);
    expect(asked).toMatchObject([
      {
        query: '?after=latest&types=TaskCreated,TaskDeleted&record_id=task_1',
        accept: 'text/event-stream',
        last: null,
      },
    ]);
  });

  it('gives each event once, over pieces that break anywhere and connections that are lost', async () => {
    const text = OPENED + event('1-1') + event('1-2');
    const { client, asked } = clientOf([
      { sent: [...text] },
      new TypeError('fetch failed'),
      { sent: [OPENED, event('1-3'), event('1-4').slice(0, -1)] },
      { sent: [OPENED, event('1-4')], stays: true },
    ]);
    expect(await positionsOf(client.events(), 4)).toEqual(['1-1', '1-2', '1-3', '1-4']);
    expect(asked.map(({ last }) => last)).toEqual([null, '1-2', '1-2', '1-3']);
  });

  it('goes on from the place that a comment has named, and from none that another has put there', async () => {
    const { client, asked } = clientOf([
      { sent: [': 1-7\n\n', ': ping\n\n', ':\n\n'] },
      { sent: [event('1-8')] },
    ]);
    expect(await positionsOf(client.events({ after: 'latest' }), 1)).toEqual(['1-8']);
    expect(asked[1]).toMatchObject({ query: '?after=latest', last: '1-7' });
  });

  it('is opened anew where nothing has come for 45 seconds, and not before', async () => {
    const { client, asked, left } = clientOf([
      { sent: [OPENED], stays: true },
      { sent: [OPENED, event('1-1')], stays: true },
    ]);
    await positionsOf(client.events(), 1);
    const waited = asked[1]!.at - asked[0]!.at;
    expect(waited).toBeGreaterThanOrEqual(45_000);
    expect(waited).toBeLessThan(47_000);
    expect(left()).toBe(2);
  });

  it('waits longer each time that a connection is lost at once, and less again once one has lasted', async () => {
    const broken = { sent: [OPENED] };
    const { client, asked } = clientOf([
      ...[broken, broken, broken, broken, broken],
      { sent: [OPENED, event('1-1')] },
      { sent: [OPENED, event('1-2')] },
    ]);
    jest.spyOn(Math, 'random').mockReturnValue(0);
    await positionsOf(client.events(), 2);
    const waits = asked.slice(1).map(({ at }, index) => Math.round((at - asked[index]!.at) / 100) / 10);
    expect(waits).toEqual([0.5, 1, 2, 4, 8, 0.5]);
  });

  it('waits as Retry-After says, and over an outage until the service is back', async () => {
    const problem = new Response('{}', { status: 503, headers: { 'retry-after': '90' } });
    const { client, asked } = clientOf([
      ...Array.from({ length: 9 }, () => new TypeError('fetch failed')),
      problem,
      { sent: [event('1-1')] },
    ]);
    expect(await positionsOf(client.events(), 1)).toEqual(['1-1']);
    expect(asked[10]!.at - asked[9]!.at).toBeGreaterThanOrEqual(90_000);
  });

  it('ends where it may be read no more', async () => {
    const refused = new Response('{"code":"unauthorized","detail":"The key is revoked."}', { status: 401 });
    const { client } = clientOf([{ sent: [OPENED, event('1-1')] }, refused]);
    await expect(positionsOf(client.events())).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('ends where the answer is something else', async () => {
    const page = new Response('{"data":[]}', { headers: { 'content-type': 'application/json' } });
    await expect(positionsOf(clientOf([page]).client.events())).rejects.toMatchObject({ code: 'unknown' });
  });

  it('tells when a connection stands, and when it is lost', async () => {
    const { client } = clientOf([{ sent: [event('1-1')] }, { sent: [event('1-2')], stays: true }]);
    const told: boolean[] = [];
    await positionsOf(client.events({ onConnection: (isUp) => told.push(isUp) }), 2);
    expect(told).toEqual([true, false, true, false]);
  });

  it('ends quietly by its signal, and leaves, between two events', async () => {
    const stop = new AbortController();
    const { client, left } = clientOf([{ sent: [event('1-1'), event('1-2')], stays: true }]);
    const got: string[] = [];
    for await (const { position } of client.events({ signal: stop.signal })) {
      got.push(position);
      stop.abort();
    }
    expect([got, left()]).toEqual([['1-1'], 1]);
  });

  it.each<[string, Connection, number]>([
    ['while it waits for an event', { sent: [event('1-1')], stays: true }, 1],
    ['while it waits to connect again', { sent: [event('1-1')] }, 0],
  ])('ends quietly by its signal, and leaves, %s', async (_, connection, leaves) => {
    const stop = new AbortController();
    const { client, left } = clientOf([connection]);
    const events = client.events({ signal: stop.signal });
    await events.next();
    const next = events.next();
    await jest.advanceTimersByTimeAsync(20_000);
    stop.abort();
    expect([await next, left()]).toEqual([{ done: true, value: undefined }, leaves]);
  });

  it('leaves when the loop is left', async () => {
    const { client, left } = clientOf([{ sent: [event('1-1'), event('1-2')], stays: true }]);
    for await (const _ of client.events()) break;
    expect(left()).toBe(1);
  });
});
