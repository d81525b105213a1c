import { Client } from 'pg';
import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { until } from '../../../test/support/until.js';
import { Absences, aliveProcesses, livingWorkers, WorkerLiveness } from './worker-liveness.js';

describe('a process', () => {
  let test: TestDatabase;
  let liveness: WorkerLiveness;

  beforeEach(async () => {
    test = await testDatabase();
    liveness = new WorkerLiveness(test.database);
  });

  afterEach(async () => {
    liveness.leave();
    await test.close();
  });

  const lives = async (worker: number): Promise<boolean> =>
    (await livingWorkers(test.database)).includes(worker);

  const loseConnection = () =>
    test.database.query({
      text: `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database d ON d.oid = database
              WHERE datname = current_database() AND locktype = 'advisory' AND pid <> pg_backend_pid()`,
    });

  it('is seen by the id it gives until it leaves', async () => {
    const worker = await liveness.id();
    expect(await lives(worker)).toBe(true);
    liveness.leave();
    await until(async () => !(await lives(worker)));
  });

  it('that loses its connection is seen again by the same id, without being asked', async () => {
    const worker = await liveness.id();
    await loseConnection();
    await until(() => lives(worker));
    expect(await liveness.id()).toBe(worker);
    await loseConnection();
    await until(() => lives(worker));
  });

  it('that has left is not seen again', async () => {
    const worker = await liveness.id();
    liveness.leave();
    await until(async () => !(await lives(worker)));
    await test.database.query({ text: 'SELECT pg_sleep(0.5)' });
    expect(await lives(worker)).toBe(false);
  });
});

describe('a process that is missed', () => {
  it('has gone when it has been missed for two seconds, every time somebody looked', () => {
    const absences = new Absences();
    expect([...absences.gone([1], 0)]).toEqual([]);
    expect([...absences.gone([1, 2], 1_999)]).toEqual([]);
    expect([...absences.gone([1, 2], 2_000)]).toEqual([1]);
    expect([...absences.gone([2, 1], 4_000)]).toEqual([2, 1]);
  });

  it('and seen again is as one that was never missed', () => {
    const absences = new Absences();
    absences.gone([1], 0);
    absences.gone([], 1_000);
    expect([...absences.gone([1], 2_000)]).toEqual([]);
    expect([...absences.gone([1], 4_000)]).toEqual([1]);
  });
});

describe('the processes that are alive', () => {
  let test: TestDatabase;
  beforeEach(async () => (test = await testDatabase()));
  afterEach(() => test.close());

  const alive = () => aliveProcesses(test.database);

  it('are counted by their signs of life, and with the latest of these, until they leave', async () => {
    expect(await alive()).toEqual({ count: 0, heartbeat_age_seconds: null });
    const [one, other] = [new WorkerLiveness(test.database), new WorkerLiveness(test.database)];
    await Promise.all([one.id(), other.id()]);
    expect(await alive()).toEqual({ count: 2, heartbeat_age_seconds: expect.any(Number) });
    one.leave();
    await until(async () => (await alive()).count === 1);
    other.leave();
    await until(async () => (await alive()).count === 0);
  });

  it('are heard again and again, though nobody asks them for anything', async () => {
    const liveness = new WorkerLiveness(test.database);
    await liveness.id();
    const first = (await lastBeat())!;
    await until(async () => (await lastBeat())! > first);
    liveness.leave();
  });

  it('are not those that are connected and silent', async () => {
    const frozen = new Client({ connectionString: test.url });
    await frozen.connect();
    await frozen.query('SELECT pg_advisory_lock_shared(7015928, 1)');
    await until(async () => (await alive()).count === 0);
    expect((await alive()).heartbeat_age_seconds).toBeGreaterThanOrEqual(10);
    await frozen.end();
  });

  /** When the connection with the sign of life was last used. */
  async function lastBeat(): Promise<string | undefined> {
    const [row] = await test.database.query<{ at: string }>({
      text: `SELECT state_change::text AS at FROM pg_locks JOIN pg_stat_activity USING (pid)
              WHERE locktype = 'advisory' AND classid = 7015928 AND datname = current_database()`,
    });
    return row?.at;
  }
});
