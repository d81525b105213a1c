import type { Database } from '#database/database.js';
import { ProjectionRunner } from '#event-store/projection-runner.js';
import { plusSeconds } from '#kernel/instant.js';
import {
  createOrganization,
  type History,
  randomHistory,
  randomWindow,
  record,
} from '../../../test/support/data/analytics-history.js';
import { directoryOf } from '../../../test/support/database/directory.js';
import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { cases, randomFrom } from '../../../test/support/random.js';
import { untilAllIsReadable } from '../../../test/support/until.js';
import { cutByCalendar, INTERVALS } from '../facts/calendar.js';
import { AnalyticsQueries } from '../figures/analytics.queries.js';
import { cutParts } from '../figures/cut-parts.js';
import { Snapshots } from '../figures/snapshot.queries.js';
import type { Window } from '../figures/window-slices.js';
import { analytics } from '../projections/analytics.projection.js';
import { AgentsFiguresQueries } from './agents-figures.queries.js';
import { METRICS } from './series.dto.js';
import { readResponseTimesEach } from './response-times-series.queries.js';
import { SeriesQueries } from './series.queries.js';

const HISTORIES = cases(60);
const WINDOWS = 4;
const MOST_BUCKETS_LOOKED_AT = 40;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/St_Johns',
];

let test: TestDatabase;
let database: Database;
let figures: AnalyticsQueries;
let series: SeriesQueries;
let agentsFigures: AgentsFiguresQueries;

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
  const directory = directoryOf(database);
  const snapshots = new Snapshots(database);
  figures = new AnalyticsQueries(snapshots, directory);
  series = new SeriesQueries(snapshots, directory);
  agentsFigures = new AgentsFiguresQueries(snapshots, directory);
});

afterAll(() => test.close());

const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const withoutAsOf = <Figures extends object>({ as_of: _, ...rest }: Figures & { as_of: string }) => rest;

/** A window that may begin and end anywhere, or on instants of the history. */
function anyWindow(random: ReturnType<typeof randomFrom>, history: History): Window {
  const window = randomWindow(random, history);
  const wider = (instant: string, by: number) => plusSeconds(instant, by * random.integer(0, 3_000_000));
  return random.chance(0.5)
    ? window
    : { start_date: wider(window.start_date, -1), end_date: wider(window.end_date, 1) };
}

/** What the window's own paths answer. */
const ownFigures = async (organizationId: string, window: Window) => ({
  ...window,
  ...withoutAsOf(await figures.conversations(organizationId, window)),
  ...withoutAsOf(await figures.sales(organizationId, window)),
});

async function filled(nr: number): Promise<{ history: History; random: ReturnType<typeof randomFrom> }> {
  const random = randomFrom(seed + nr);
  const history = randomHistory(random);
  await createOrganization(database, history);
  for (const agent of history.agents)
    await database.query({
      text: `INSERT INTO agent (organization_id, agent_id, name, created_at, updated_at) VALUES ($1, $2, 'Ada', now(), now())`,
      values: [history.organizationId, agent],
    });
  await record(database, history.organizationId, history.recordings, new Map());
  await untilAllIsReadable(database);
  await new ProjectionRunner(database, [analytics], {}, () => {}).catchUp();
  return { history, random };
}

it(`has in each bucket what the window's own path answers, over ${HISTORIES} histories, zones and intervals`, async () => {
  let compared = 0;
  for (let nr = 0; nr < HISTORIES; nr++) {
    const { history, random } = await filled(nr);
    const { organizationId } = history;
    for (let count = 0; count < WINDOWS; count++) {
      const window = anyWindow(random, history);
      const [interval] = random.sample(INTERVALS, 1);
      const [time_zone] = random.sample(ZONES, 1);
      const query = { ...window, interval: interval!, time_zone: time_zone! };
      const answer = await series.series(organizationId, query).catch((error: Error) => error);
      if (answer instanceof Error) {
        expect(JSON.stringify(answer)).toContain('interval');
        continue;
      }
      const { buckets } = answer;
      expect([buckets[0]!.start_date, buckets.at(-1)!.end_date]).toEqual(Object.values(window));
      const some = random.sample(buckets, Math.min(buckets.length, MOST_BUCKETS_LOOKED_AT));
      for (const bucket of some) {
        const { start_date, end_date } = bucket;
        const own = await ownFigures(organizationId, { start_date, end_date });
        expect([`PARLEY_SEED=${seed + nr}`, query, bucket]).toEqual([`PARLEY_SEED=${seed + nr}`, query, own]);
        compared++;
      }
    }
  }
  expect(compared).toBeGreaterThan(HISTORIES);
}, 600_000);

it('has only the figures asked for, each the same as beside the others', async () => {
  const { history } = await filled(0);
  const query = {
    start_date: '2025-01-01T00:00:00.000000Z',
    end_date: '2027-01-01T00:00:00.000000Z',
    interval: 'month' as const,
  };
  const all = await series.series(history.organizationId, query);
  expect(all.time_zone).toBe(history.timezone);
  const parts = await Promise.all(
    METRICS.map((metric) => series.series(history.organizationId, { ...query, metric: [metric] })),
  );
  expect(parts.map(({ buckets }) => Object.keys(buckets[0]!).slice(2))).toEqual([
    ['volumeStats'],
    ['responseRateStats'],
    ['responseTimeStats'],
    ['modalityStats'],
    ['pipeline', 'salesRate'],
  ]);
  const together = all.buckets.map((_, nr) =>
    Object.assign({}, ...parts.map(({ buckets }) => buckets[nr])),
  ) as object[];
  expect(together).toEqual(all.buckets);
});

it('has the same response times where a bucket has too many to read them at once', async () => {
  for (let nr = 0; nr < 10; nr++) {
    const { history, random } = await filled(2 * HISTORIES + nr);
    const { start_date, end_date } = anyWindow(random, history);
    const cuts = cutByCalendar('week', 'UTC', { start_date, end_date }, 400)!;
    const windows = cuts.slice(1).map((end, at) => ({ start_date: cuts[at]!, end_date: end }));
    const read = (most?: number) =>
      readResponseTimesEach(database, history.organizationId, windows, cutParts(cuts, 'week'), most);
    const [few, many] = [await read(1), await read()];
    expect(new Map([...few].sort(([one], [other]) => one - other))).toEqual(many);
  }
});

it('has for each agent what the agent has alone', async () => {
  for (let nr = 0; nr < HISTORIES / 2; nr++) {
    const { history, random } = await filled(HISTORIES + nr);
    for (let count = 0; count < WINDOWS; count++) {
      const window = anyWindow(random, history);
      const { data } = await agentsFigures.agents(history.organizationId, window);
      expect(data.map(({ agent_id }) => agent_id).sort()).toEqual([...history.agents].sort());
      for (const { agent_id, name: _, ...own } of data)
        expect(own).toEqual(withoutAsOf(await figures.agent(history.organizationId, agent_id, window)));
    }
  }
}, 300_000);
