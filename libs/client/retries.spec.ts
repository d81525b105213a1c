import { jest } from '@jest/globals';
import { createClient, ParleyError } from './client.js';

const CONTACTS = '/api/v2/organizations/{organization_id}/contacts';
const CONTACT = `${CONTACTS}/{contact_id}` as const;
const path = { contact_id: 'contact_1' };

/** What a try is answered; an error is a connection that was lost. */
type Answer = Response | Error | ((request: Request) => Promise<Response>);

const answer = (status: number, body: object = {}, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const lost = () => new TypeError('fetch failed');
const problem = (status: number, code: string, headers?: Record<string, string>) =>
  answer(status, { code, detail: 'So it is.' }, headers);

/** A service that never answers. */
const untilAborted = (request: Request) =>
  new Promise<Response>((_, reject) => {
    request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
  });

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** A client of a service that gives these answers, one after the other. */
function clientOf(answers: Answer[], options: { retries?: number; timeout?: number } = {}) {
  const requests: Request[] = [];
  const times: number[] = [];
  const client = createClient({
    baseUrl: 'http://service.example',
    apiKey: 'key',
    adminKey: 'operator',
    organizationId: 'org_1',
    ...options,
    fetch: async (request) => {
      requests.push(request);
      times.push(Date.now());
      const next = answers.shift();
      if (next === undefined) throw new Error('It was not expected to ask again');
      if (next instanceof Error) throw next;
      return typeof next === 'function' ? next(request) : next;
    },
  });
  /** Seconds between the tries. */
  const waits = () => times.slice(1).map((time, index) => (time - times[index]!) / 1_000);
  return { client, requests, waits };
}

/** What a call comes to while the clock runs. */
async function outcome<T>(call: Promise<T>): Promise<{ data: T } | { error: unknown }> {
  let ended: { data: T } | { error: unknown } | undefined;
  call.then(
    (data) => (ended = { data }),
    (error: unknown) => (ended = { error }),
  );
  while (ended === undefined) await jest.advanceTimersByTimeAsync(50);
  return ended;
}

type Api = ReturnType<typeof createClient>;
const CALLS = {
  'a GET': (api: Api) => api.GET(CONTACTS),
  'a DELETE': (api: Api) => api.DELETE(CONTACT, { params: { path } }),
  'a PUT': (api: Api) =>
    api.PUT(`${CONTACTS}/by-external-id/{external_id}`, {
      params: { path: { external_id: '7' } },
      body: { name: 'Ada' },
    }),
  'a PUT with If-Match': (api: Api) =>
    api.PUT(`${CONTACTS}/by-external-id/{external_id}`, {
      params: { path: { external_id: '7' }, header: { 'If-Match': '"3"' } },
      body: { name: 'Ada' },
    }),
  'a POST': (api: Api) => api.POST(CONTACTS, { body: { name: 'Ada' } }),
  'a PATCH with If-Match': (api: Api) =>
    api.PATCH(CONTACT, { params: { path, header: { 'If-Match': '"3"' } }, body: { name: 'Ada' } }),
  'a POST of an operator': (api: Api) => api.POST('/admin/v1/organizations', { body: { name: 'Acme' } }),
};

describe('sent again is', () => {
  const safe = ['a GET', 'a DELETE', 'a PUT', 'a POST', 'a PATCH with If-Match'] as const;
  const unsafe = ['a PUT with If-Match', 'a POST of an operator'] as const;
  const failures: [string, () => Answer][] = [
    ['a lost connection', lost],
    ['502', () => answer(502)],
    ['503', () => problem(503, 'unavailable')],
    ['504', () => answer(504)],
    ['409 idempotency_in_progress', () => problem(409, 'idempotency_in_progress')],
    ['409 version_conflict', () => problem(409, 'version_conflict')],
  ];
  const pairs = <T>(names: readonly T[]) =>
    failures.flatMap(([name, fail]) => names.map((call) => [call, name, fail] as const));

  it.each(pairs(safe))('%s after %s', async (call, _, fail) => {
    const { client, requests } = clientOf([fail(), answer(200)]);
    expect(await outcome(CALLS[call](client) as Promise<unknown>)).toEqual({ data: {} });
    expect(requests).toHaveLength(2);
  });

  it.each(pairs(unsafe))('never %s after %s: it may have been carried out', async (call, _, fail) => {
    const { client, requests } = clientOf([fail()]);
    expect(await outcome(CALLS[call](client) as Promise<unknown>)).toEqual({
      error: expect.any(ParleyError),
    });
    expect(requests).toHaveLength(1);
  });

  it.each([...safe, ...unsafe])('%s after 429, which has carried out nothing', async (call) => {
    const { client, requests } = clientOf([problem(429, 'rate_limited'), answer(200)]);
    expect(await outcome(CALLS[call](client) as Promise<unknown>)).toEqual({ data: {} });
    expect(requests).toHaveLength(2);
  });

  it.each([
    [400, 'validation_failed'],
    [401, 'unauthorized'],
    [404, 'contact_not_found'],
    [409, 'both_have_replies'],
    [412, 'version_mismatch'],
    [422, 'idempotency_key_reused'],
    [500, 'internal_error'],
  ])('nothing after %i %s', async (status, code) => {
    const { client, requests } = clientOf([problem(status, code)]);
    expect(await outcome(CALLS['a POST'](client))).toMatchObject({ error: { status, code } });
    expect(requests).toHaveLength(1);
  });

  it('a request whose answer breaks off', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(lost()) });
    const { client, requests } = clientOf([new Response(broken), answer(200, { data: [] })]);
    expect(await outcome(client.GET(CONTACTS))).toEqual({ data: { data: [] } });
    expect(requests).toHaveLength(2);
  });

  it('a request that is not answered in time', async () => {
    const { client, waits } = clientOf([untilAborted, answer(200)], { timeout: 7 });
    expect(await outcome(client.GET(CONTACTS))).toEqual({ data: {} });
    expect(waits()[0]).toBeGreaterThanOrEqual(7);
  });
});

describe('every try of a POST', () => {
  it('has the same body and the same Idempotency-Key, and the next POST has another', async () => {
    const { client, requests } = clientOf([lost(), problem(503, 'unavailable'), answer(201), answer(201)]);
    await outcome(client.POST(CONTACTS, { body: { name: 'Ada' } }));
    await outcome(client.POST(CONTACTS, { body: { name: 'Ada' } }));
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys).toEqual([keys[0], keys[0], keys[0], expect.not.stringMatching(keys[0]!)]);
    for (const request of requests) expect(await request.json()).toEqual({ name: 'Ada' });
  });

  it('has the key that the caller gives', async () => {
    const { client, requests } = clientOf([lost(), answer(201)]);
    const params = { header: { 'Idempotency-Key': 'order-7' } };
    await outcome(client.POST(CONTACTS, { params, body: { name: 'Ada' } }));
    expect(requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['order-7', 'order-7']);
  });
});

describe('the next try comes', () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString();

  it.each<[string, number, () => Record<string, string>]>([
    ['after the seconds of Retry-After', 3, () => ({ 'retry-after': '3' })],
    ['at once where it is 0', 0, () => ({ 'retry-after': '0' })],
    ['at the instant of Retry-After', 5, () => ({ 'retry-after': at(5) })],
    ['at that instant by the clock of the service', 4, () => ({ 'retry-after': at(3_604), date: at(3_600) })],
    ['at once where that instant is over', 0, () => ({ 'retry-after': at(-5) })],
  ])('%s', async (_, seconds, headers) => {
    // HTTP dates have no fractions of a second.
    jest.setSystemTime(new Date('2026-01-05T09:00:00Z'));
    const { client, waits } = clientOf([problem(429, 'rate_limited', headers()), answer(200)]);
    await outcome(client.GET(CONTACTS));
    expect(waits()[0]).toBeCloseTo(seconds, 1);
  });

  it.each([
    ['longest', 0, [0.5, 1, 2, 4]],
    ['shortest', 1, [0.25, 0.5, 1, 2]],
  ])(
    'otherwise after half a second, then twice as long each time: the %s waits',
    async (_, random, expected) => {
      jest.spyOn(Math, 'random').mockReturnValue(random);
      const { client, waits } = clientOf([lost(), lost(), lost(), lost(), answer(200)]);
      await outcome(client.GET(CONTACTS));
      for (const [index, wait] of waits().entries()) expect(wait).toBeCloseTo(expected[index]!, 1);
    },
  );
});

describe('a call gives up', () => {
  it('after as many tries as it is told, with what the last one said', async () => {
    const { client, requests } = clientOf([lost(), problem(503, 'unavailable', { 'retry-after': '1' })], {
      retries: 1,
    });
    const ended = await outcome(client.GET(CONTACTS));
    expect(ended).toMatchObject({ error: { status: 503, code: 'unavailable', retryAfter: 1 } });
    expect(requests).toHaveLength(2);
  });

  it('with `unreachable` and the cause where no answer came', async () => {
    const cause = lost();
    const { client } = clientOf([cause], { retries: 0 });
    expect(await outcome(client.GET(CONTACTS))).toMatchObject({
      error: { status: 0, code: 'unreachable', cause },
    });
  });

  it('where it would have to wait for more than a minute', async () => {
    const { client, requests } = clientOf([problem(503, 'unavailable', { 'retry-after': '61' })]);
    expect(await outcome(client.GET(CONTACTS))).toMatchObject({ error: { retryAfter: 61 } });
    expect(requests).toHaveLength(1);
  });

  it.each<[string, Answer[], number]>([
    ['before it began', [], 0],
    ['while it waits for the next try', [problem(503, 'unavailable', { 'retry-after': '30' })], 1],
    ['while it waits for the answer', [untilAborted], 1],
  ])(
    'at once, with the reason of its signal that aborts %s',
    async (when, answers, tries) => {
      const stop = new AbortController();
      const reason = new Error('No more');
      if (tries === 0) stop.abort(reason);
      else setTimeout(() => stop.abort(reason), 100);
      const { client, requests } = clientOf(answers, { retries: when.endsWith('try') ? 1 : 0 });
      expect(await outcome(client.GET(CONTACTS, { signal: stop.signal }))).toEqual({ error: reason });
      expect(requests).toHaveLength(tries);
    },
    // eslint-disable-next-line no-restricted-syntax -- One that waits on does so for 30 seconds.
    20_000,
  );
});

describe('the feed that is read to its end', () => {
  it('gives up as any call does', async () => {
    const { client, requests } = clientOf(Array.from({ length: 9 }, lost));
    expect(await outcome(client.events({ live: false }).next())).toMatchObject({
      error: { code: 'unreachable' },
    });
    expect(requests).toHaveLength(5);
  });
});

it('a DELETE that finds nothing has succeeded where the answer to an earlier try was lost, and not otherwise', async () => {
  const gone = () => problem(404, 'contact_not_found');
  expect(await outcome(CALLS['a DELETE'](clientOf([lost(), gone()]).client))).toEqual({ data: undefined });
  expect(await outcome(CALLS['a DELETE'](clientOf([gone()]).client))).toMatchObject({
    error: { status: 404 },
  });
  const limited = clientOf([problem(429, 'rate_limited'), gone()]);
  expect(await outcome(CALLS['a DELETE'](limited.client))).toMatchObject({ error: { status: 404 } });
});

it.each([
  ['was sent', { code: 'draft_promoted', hint: { method: 'GET', route: '/messages/message_1' } }],
  ['is of another kind', { code: 'wrong_draft_kind', hint: { method: 'DELETE', route: '/response-drafts' } }],
  ['has become part of another', { code: 'merged', hint: { method: 'GET', route: '/contacts/contact_2' } }],
  ['a hint leads elsewhere from', { code: 'contact_not_found', hint: { method: 'GET', route: '/contacts' } }],
  ['only a proxy does not know', 'Not Found'],
])('a DELETE of what %s has not succeeded, also where an earlier try was lost', async (_, body) => {
  const { client } = clientOf([problem(503, 'unavailable'), answer(404, body as object)]);
  expect(await outcome(CALLS['a DELETE'](client))).toMatchObject({ error: { status: 404 } });
});
