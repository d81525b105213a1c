import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { type Instant, now, plusSeconds } from '#kernel/instant.js';
import { until } from '../../test/support/until.js';
import { Jobs } from './jobs.js';

let test: TestDatabase;
let jobs: Jobs;
const errors: string[] = [];

beforeAll(async () => {
  test = await testDatabase();
});

afterAll(async () => {
  await jobs.close();
  await test.close();
});

const setReadOnly = (value: 'on' | 'off') =>
  test.database.query({
    text: `DO $$ BEGIN
             EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database());
           END $$`,
  });

it('a worker whose queue cannot be set up leaves the process its turns, and works once it can', async () => {
  await setReadOnly('on');
  jobs = new Jobs({
    servers: test.database.direct,
    redisUrl: null,
    onError: ({ message }) => void errors.push(message),
  });
  const woken: number[] = [];
  jobs.work<number>('numbers', 1, (number) => void woken.push(number));
  await until(() => errors.some((message) => message.includes('read-only')));
  await sleep(500);
  expect(errors.length).toBeLessThan(200);

  await setReadOnly('off');
  const queue = jobs.queue<number>('numbers');
  await until(() =>
    queue.add('seven', 7).then(
      () => true,
      () => false,
    ),
  );
  await until(() => woken.length > 0);
  expect(woken).toEqual([7]);
});

it('a job for later is handed out at its instant and not before, once for each id', async () => {
  const queue = jobs.queue<number>('later');
  const woken: [number, Instant][] = [];
  jobs.work<number>('later', 1, (nr) => void woken.push([nr, now()]));
  const instants = [0.6, 0.3, -5].map((seconds) => plusSeconds(now(), seconds));
  for (const [nr, instant] of [...instants, instants[0]!].entries())
    queue.addAt(instant, `job-${instant}`.replaceAll(/[:.]/g, '-'), nr);
  await until(() => woken.length >= 3);
  await sleep(300);
  expect(woken.map(([nr]) => nr)).toEqual([2, 1, 0]);
  for (const [nr, at] of woken) expect(at > instants[nr]!).toBe(true);
});
