import { afterTry, HEALTHY, type Health, readRetryAfter, type Reply, withdrawn } from './retries.js';

const AT = '2026-01-02T03:04:05.000000Z';
const BASE = { baseMs: 5_000, random: 0.5 };

const reply = (status_code: number | null, retry_after_seconds: number | null = null): Reply => ({
  status_code,
  error: 'refused',
  retry_after_seconds,
  duration_ms: 5,
});
const seconds = (to: string | null): number => (Date.parse(to!) - Date.parse(AT)) / 1_000;
const tryOf = (attempts: number, one: Reply, health: Health = HEALTHY, policy = BASE) =>
  afterTry(attempts, one, health, AT, policy);

describe('a try', () => {
  it.each([200, 201, 204, 299])('answered %i is the end of the delivery, and of all trouble', (status) => {
    const failing = { failures: 3, failing_since: AT, resting_until: AT };
    expect(tryOf(4, reply(status), failing)).toEqual({
      tried: { status: 'delivered', attempts: 4, due_at: null },
      health: HEALTHY,
      pause: null,
    });
  });

  it.each([null, 300, 304, 400, 404, 408, 429, 500, 503])('answered %s is repeated', (status) =>
    expect(tryOf(1, reply(status)).tried).toMatchObject({ status: 'retrying', attempts: 1 }),
  );

  it('is repeated after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and then no more', () => {
    const hours = (count: number) => count * 3_600;
    const pauses = [5, 300, 1_800, hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)];
    for (const [nr, pause] of pauses.entries())
      expect(seconds(tryOf(nr + 1, reply(500)).tried.due_at)).toBe(pause);
    expect(tryOf(10, reply(500)).tried).toEqual({ status: 'failed', attempts: 10, due_at: null });
  });

  it('is repeated after a pause that chance lengthens or shortens by up to a fifth', () => {
    expect(seconds(tryOf(2, reply(500), HEALTHY, { ...BASE, random: 0 }).tried.due_at)).toBe(240);
    expect(seconds(tryOf(2, reply(500), HEALTHY, { ...BASE, random: 1 }).tried.due_at)).toBe(360);
  });

  it('is repeated no sooner than Retry-After says, which counts for up to a day', () => {
    expect(seconds(tryOf(1, reply(429, 60)).tried.due_at)).toBe(60);
    expect(seconds(tryOf(2, reply(503, 60)).tried.due_at)).toBe(300);
    expect(seconds(tryOf(1, reply(503, 10 ** 9)).tried.due_at)).toBe(24 * 3_600);
  });

  it.each([1, 10])(
    'answered 410 pauses the webhook, and is repeated as soon as that is over: %i',
    (attempts) =>
      expect(tryOf(attempts, reply(410))).toMatchObject({
        tried: { status: 'retrying', due_at: AT },
        pause: 'gone',
      }),
  );
});

describe('an event that is not shown any more', () => {
  it('is given up, and says nothing of the endpoint', () => {
    const health = { failures: 2, failing_since: AT, resting_until: AT };
    expect(withdrawn(1, health)).toEqual({
      tried: { status: 'failed', attempts: 1, due_at: null },
      health: { ...health, resting_until: null },
      pause: null,
    });
  });
});

describe('an endpoint', () => {
  it('in trouble rests after each try, twice as long each time, up to five minutes', () => {
    let health = HEALTHY;
    const rests = Array.from({ length: 9 }, () => {
      health = tryOf(1, reply(null), health).health;
      return seconds(health.resting_until);
    });
    expect(rests).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  it('rests for as long as its Retry-After says', () =>
    expect(seconds(tryOf(1, reply(429, 3_600)).health.resting_until)).toBe(3_600));

  describe('of whose trouble a try has told that was under way beside this one', () => {
    const known = tryOf(1, reply(429, 600)).health;
    const beside = (one: Reply) => afterTry(1, one, known, AT, BASE, 0).health;

    it.each([null, 400, 503])('rests no longer and no shorter for %s', (status) =>
      expect(beside(reply(status))).toEqual(known),
    );

    it('rests for the longest Retry-After', () =>
      expect(beside(reply(503, 900))).toMatchObject({
        failures: 1,
        resting_until: '2026-01-02T03:19:05.000000Z',
      }));

    it('is well when it takes an event', () => expect(beside(reply(204))).toEqual(HEALTHY));
  });

  it.each([400, 404, 422])('that answers %i refuses one event and is sent the next', (status) =>
    expect(tryOf(1, reply(status)).health.resting_until).toBeNull(),
  );

  it('fails since the first try that failed', () => {
    const since = '2026-01-01T00:00:00.000000Z';
    expect(tryOf(1, reply(500)).health.failing_since).toBe(AT);
    expect(tryOf(1, reply(400), { ...HEALTHY, failing_since: since }).health.failing_since).toBe(since);
  });

  it('that has failed for three days is given up', () => {
    const failingSince = (failing_since: string) => tryOf(2, reply(400), { ...HEALTHY, failing_since }).pause;
    expect(failingSince('2025-12-30T03:04:05.000001Z')).toBeNull();
    expect(failingSince('2025-12-30T03:04:05.000000Z')).toBe('failing');
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-01-02T03:04:05Z');

  it.each([
    ['120', 120],
    ['0', 0],
    ['Fri, 02 Jan 2026 03:05:05 GMT', 60],
    ['Fri, 02 Jan 2026 03:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    [undefined, null],
  ])('%s is %s seconds', (value, expected) => expect(readRetryAfter(value, now)).toBe(expected));
});
