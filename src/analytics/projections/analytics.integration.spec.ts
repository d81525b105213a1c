import type { Database } from '#database/database.js';
import { ProjectionRunner } from '#event-store/projection-runner.js';
import { rebuild } from '#event-store/rebuild.js';
import { verify } from '#event-store/verify.js';
import {
  createOrganization,
  randomHistory,
  randomWindow,
  record,
} from '../../../test/support/data/analytics-history.js';
import {
  expectAsTheOracle,
  type ShownFigures,
  withoutAsOf,
} from '../../../test/support/data/analytics-figures.js';
import { conversationFigures } from '../../../test/support/data/analytics-oracle.js';
import { directoryOf } from '../../../test/support/database/directory.js';
import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { cases, randomFrom } from '../../../test/support/random.js';
import { untilAllIsReadable } from '../../../test/support/until.js';
import { analytics } from './analytics.projection.js';
import { AnalyticsQueries } from '../figures/analytics.queries.js';
import { LegacyQueries } from '../legacy/legacy.queries.js';
import { Snapshots } from '../figures/snapshot.queries.js';

const HISTORIES = cases(120);
const WINDOWS = 5;

let test: TestDatabase;
let database: Database;
let queries: AnalyticsQueries;
let legacy: LegacyQueries;
let runner: ProjectionRunner;

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
  const directory = directoryOf(database);
  const snapshots = new Snapshots(database);
  queries = new AnalyticsQueries(snapshots, directory);
  legacy = new LegacyQueries(snapshots, directory);
  runner = new ProjectionRunner(database, [analytics], {}, () => {});
});

afterAll(() => test.close());

const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

async function catchUp(): Promise<void> {
  await untilAllIsReadable(database);
  await runner.catchUp();
}

const shownBy = (organizationId: string): ShownFigures => ({
  conversations: (window) => queries.conversations(organizationId, window),
  responseRate: (window) => queries.responseRate(organizationId, window),
  responseTime: (window) => queries.responseTime(organizationId, window),
  volume: (window) => queries.volume(organizationId, window),
  modality: (window) => queries.modality(organizationId, window),
  sales: (window) => queries.sales(organizationId, window),
  agent: (agentId, window) => queries.agent(organizationId, agentId, window),
  legacy: (window) => legacy.analytics(organizationId, window),
});

it(`has every figure as its definition says, over ${HISTORIES} histories, whatever the order of recording`, async () => {
  const random = randomFrom(seed);
  for (let nr = 0; nr < HISTORIES; nr++) {
    const history = randomHistory(randomFrom(random.integer(0, 2 ** 31)));
    await createOrganization(database, history);
    const versions = new Map<string, number>();
    const { recordings, organizationId } = history;
    for (let done = 0; done < recordings.length;) {
      const some = random.integer(1, recordings.length);
      await record(database, organizationId, recordings.slice(done, done + some), versions);
      done += some;
      await catchUp();
    }
    try {
      for (let count = 0; count < WINDOWS; count++)
        await expectAsTheOracle(
          shownBy(organizationId),
          history,
          history.agents,
          randomWindow(random, history),
        );
    } catch (error) {
      throw new Error(`PARLEY_SEED=${seed}, history ${nr}`, { cause: error });
    }
  }
  const job = { database, projection: analytics, kind: 'async' as const, upcasters: {} };
  expect(await verify(job)).toEqual([]);
  await rebuild(job);
  expect(await verify(job)).toEqual([]);
}, 600_000);

it('has the same figures before, during and after rebuilds', async () => {
  const history = randomHistory(randomFrom(seed));
  await createOrganization(database, history);
  await record(database, history.organizationId, history.recordings, new Map());
  await catchUp();
  const window = { start_date: '2000-01-01T00:00:00.000000Z', end_date: '2100-01-01T00:00:00.000000Z' };
  const expected = conversationFigures(history, window);
  let rebuilding = true;
  const reader = async () => {
    let reads = 0;
    for (; rebuilding; reads++)
      expect(withoutAsOf(await queries.conversations(history.organizationId, window))).toEqual(expected);
    return reads;
  };
  const readers = [reader(), reader(), reader()];
  const rebuilds = async () => {
    for (let count = 0; count < 3; count++)
      await rebuild({ database, projection: analytics, kind: 'async', upcasters: {} });
  };
  await rebuilds().finally(() => (rebuilding = false));
  for (const reads of await Promise.all(readers)) expect(reads).toBeGreaterThan(0);
});
