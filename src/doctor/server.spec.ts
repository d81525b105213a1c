import type { ServerFacts } from './doctor.queries.js';
import { judgeRedis } from './redis.js';
import { judgeRefusal, judgeServer } from './server.js';

const NOW = Date.UTC(2026, 0, 2);
const sound: ServerFacts = {
  version_num: 160004,
  version: '16.4',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  in_recovery: false,
  read_only: false,
  encoding: 'UTF8',
  max_connections: 100,
  role: 'parley',
  database: 'sales',
  may_create: true,
  may_create_tables: true,
  clock_ms: NOW,
  oldest_writer_seconds: 0,
};

const judged = (facts: Partial<ServerFacts>) =>
  judgeServer({ ...sound, ...facts }, 20, [NOW, NOW]).map(({ check, verdict }) => `${verdict}: ${check}`);

describe('the doctor of a database server', () => {
  it('finds nothing on a sound one', () => expect(judged({})).toEqual(['ok: database']));

  it.each<[string, Partial<ServerFacts>, string]>([
    ['older than 14', { version_num: 130012, version: '13.12' }, 'error: database version'],
    ['without fsync', { fsync: 'off' }, 'error: durability'],
    ['without full pages', { full_page_writes: 'off' }, 'error: durability'],
    ['that commits before it writes', { synchronous_commit: 'off' }, 'error: durability'],
    ['that is a replica', { in_recovery: true, read_only: true }, 'error: database'],
    ['whose transactions are read-only', { read_only: true }, 'error: database'],
    ['that cannot hold every text', { encoding: 'LATIN1' }, 'error: database encoding'],
    ['where no schema may be made', { may_create: false }, 'error: database rights'],
    ['where no table may be made', { may_create_tables: false }, 'error: database rights'],
    ['with too few connections', { max_connections: 25 }, 'warning: connections'],
    ['whose clock is ahead', { clock_ms: NOW + 5_000 }, 'warning: clock'],
    ['whose clock is behind', { clock_ms: NOW - 5_000 }, 'warning: clock'],
    ['with a forgotten transaction', { oldest_writer_seconds: 600 }, 'warning: event feed'],
  ])('names one %s', (_, facts, finding) => expect(judged(facts)).toEqual([finding]));

  it('does not take the time that an answer took for a difference of the clocks', () =>
    expect(
      judgeServer({ ...sound, clock_ms: NOW + 1_000 }, 20, [NOW, NOW + 9_000]).map(({ check }) => check),
    ).toEqual(['database']));

  it.each([
    [37, false, []],
    [36, false, ['the server takes 36 connections, and one process may want 37']],
    [23, true, []],
    [22, true, ['the server takes 22 connections, and one process may want 23']],
  ])('of %i connections, with the queue on Redis: %s, says %j', (max_connections, onRedis, said) =>
    expect(
      judgeServer({ ...sound, max_connections }, 20, [NOW, NOW], { isQueueOnRedis: onRedis })
        .filter(({ check }) => check === 'connections')
        .map(({ detail }) => detail),
    ).toEqual(said),
  );

  it('says which rights are missing, and how to grant them', () => {
    const fixes = (facts: Partial<ServerFacts>) =>
      judgeServer({ ...sound, ...facts }, 20, [NOW, NOW]).map(({ fix }) => fix);
    expect(fixes({ may_create: false, may_create_tables: false })).toEqual([
      expect.stringContaining('GRANT CREATE ON DATABASE sales TO parley'),
      expect.stringContaining('GRANT CREATE ON SCHEMA public TO parley'),
    ]);
  });

  it('does not count the connections of a pool that a pooler shares out', () =>
    expect(
      judgeServer({ ...sound, max_connections: 17 }, 500, [NOW, NOW], { isPooled: true }).map(
        ({ check }) => check,
      ),
    ).toEqual(['database']));

  it.each([
    ['DATABASE_URL', /DATABASE_URL leads through.*Set DATABASE_DIRECT_URL/],
    ['DATABASE_DIRECT_URL', /DATABASE_DIRECT_URL leads through.*PostgreSQL itself/],
  ] as const)('tells by a refused setting that %s leads through a pooler', (variable, words) => {
    const refusal = { code: '08P01', message: 'unsupported startup parameter: options' };
    const { detail, fix } = judgeRefusal(refusal, 'pool:6432', variable);
    expect(`${detail}. ${fix}`).toMatch(words);
  });

  it.each([
    ['28P01', 'password'],
    ['28000', 'user'],
    ['53300', 'connection left'],
    ['42501', 'lacks a right'],
    ['ECONNREFUSED', 'cannot be reached'],
  ])('names a refusal with %s', (code, word) =>
    expect(judgeRefusal({ code, message: 'no' }, 'db:5432').detail).toContain(word),
  );
});

describe('the doctor of Redis', () => {
  it.each([
    ['redis_version:7.4.1\r\nmaxmemory_policy:noeviction\r\n', 'ok'],
    ['redis_version:7.4.1\r\nmaxmemory_policy:allkeys-lru\r\n', 'error'],
    ['redis_version:5.0.3\r\nmaxmemory_policy:noeviction\r\n', 'error'],
    ['redis_version:7.4.1\r\nmaxmemory_policy:noeviction\r\nrole:master\r\n', 'ok'],
    ['redis_version:7.4.1\r\nmaxmemory_policy:noeviction\r\nrole:slave\r\n', 'error'],
    ['redis_version:7.4.1\r\nused_memory:9\r\nmaxmemory:10\r\nmaxmemory_policy:noeviction\r\n', 'ok'],
    ['redis_version:7.4.1\r\nused_memory:10\r\nmaxmemory:10\r\nmaxmemory_policy:noeviction\r\n', 'error'],
  ])('judges %j', (info, verdict) => expect(judgeRedis(info).verdict).toBe(verdict));
});
