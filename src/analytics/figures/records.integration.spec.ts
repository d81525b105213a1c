import { ProjectionRunner } from '#event-store/projection-runner.js';
import { readInput } from '#http/input/input.js';
import { Pages } from '#http/paging/page.js';
import {
  createOrganization,
  randomHistory,
  randomWindow,
  record,
} from '../../../test/support/data/analytics-history.js';
import { plain } from '../../../test/support/data/analytics-oracle.js';
import { directoryOf } from '../../../test/support/database/directory.js';
import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { cases, randomFrom } from '../../../test/support/random.js';
import { untilAllIsReadable } from '../../../test/support/until.js';
import type { AnalyticsQuery } from './analytics.dto.js';
import { analytics } from '../projections/analytics.projection.js';
import { AnalyticsQueries } from './analytics.queries.js';
import { Explanations } from './explain.js';
import type { ExplainResponse, RateLinks } from './explain.dto.js';
import { type AnalyticsRecordResponse, type Figure, FIGURES, ListRecordsQuery } from './records.dto.js';
import { RecordsQueries } from './records.queries.js';
import { Snapshots } from './snapshot.queries.js';

const HISTORIES = cases(80);
const WINDOWS = 4;

let test: TestDatabase;
let queries: AnalyticsQueries;
let explanations: Explanations;
let records: RecordsQueries;
beforeAll(async () => {
  test = await testDatabase();
  const directory = directoryOf(test.database);
  queries = new AnalyticsQueries(new Snapshots(test.database), directory);
  explanations = new Explanations(directory);
  records = new RecordsQueries(new Pages(test.database, Buffer.from('secret')), directory);
});
afterAll(() => test.close());

const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const seen = new Map<Figure, number>();

/** Everything that a link leads to, page by page: newest first, and nothing twice. */
async function behind(link: string, limit: number): Promise<AnalyticsRecordResponse[]> {
  const { pathname, searchParams } = new URL(link, 'http://localhost');
  const query = readInput(ListRecordsQuery, { ...Object.fromEntries(searchParams), limit: String(limit) });
  const found: AnalyticsRecordResponse[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await records.list(pathname.split('/')[4]!, { ...query, cursor });
    found.push(...page.data);
    cursor = page.pagination.next_cursor;
  }
  const keys = found.map(({ at, ...ids }) => `${at} ${ids.sale_id ?? ids.message_id ?? ids.conversation_id}`);
  expect(keys).toEqual([...new Set(keys)].sort().reverse());
  seen.set(query.figure, (seen.get(query.figure) ?? 0) + found.length);
  return found;
}

/** What the lists say that the links of an answer lead to. */
async function counted(links: ExplainResponse, limit: number): Promise<object> {
  const told: Record<string, unknown> = {};
  for (const [name, link] of Object.entries(links))
    if (name === 'responseTime') told[name] = medianOf(await behind(link, limit));
    else if (name === 'pipeline')
      told[name] = await Promise.all(
        links.pipeline!.map(async (stage) => {
          const sales = await behind(stage.volume, limit);
          const quotes = sales.flatMap(({ total_price }) => total_price ?? []);
          return { name: stage.name, volume: sales.length, value: plain(quotes) };
        }),
      );
    else if (typeof link === 'string') told[name] = (await behind(link, limit)).length;
    else told[name] = await ratioOf(link as RateLinks, limit);
  return told;
}

async function ratioOf({ numerator, denominator }: RateLinks, limit: number): Promise<number> {
  const [part, whole] = [await behind(numerator, limit), await behind(denominator, limit)];
  const ids = whole.map(({ sale_id, conversation_id }) => sale_id ?? conversation_id);
  for (const one of part) expect(ids).toContain(one.sale_id ?? one.conversation_id);
  return whole.length === 0 ? 0 : part.length / whole.length;
}

function medianOf(turns: AnalyticsRecordResponse[]): number {
  const sorted = turns.map((turn) => turn.response_seconds!).sort((one, other) => one - other);
  if (sorted.length === 0) return 0;
  return (sorted[Math.ceil(sorted.length / 2) - 1]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
}

/** The figures of an answer by their names, as `counted` has them. */
const flat = (answer: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'as_of' || name === 'explain') return [];
      if (Array.isArray(value))
        return [
          [
            name,
            value.map((stage) => ({ name: stage.name, volume: stage.volume, value: plain([stage.value]) })),
          ],
        ];
      return typeof value === 'object' ? Object.entries(flat(value)) : [[name, value]];
    }),
  );

it(`behind every figure are as many records as it says, over ${HISTORIES} histories`, async () => {
  const random = randomFrom(seed);
  const runner = new ProjectionRunner(test.database, [analytics], {}, () => {});
  for (let nr = 0; nr < HISTORIES; nr++) {
    const history = randomHistory(randomFrom(random.integer(0, 2 ** 31)));
    const { organizationId, agents, recordings } = history;
    await createOrganization(test.database, history);
    await record(test.database, organizationId, recordings, new Map());
    await untilAllIsReadable(test.database);
    await runner.catchUp();
    for (let count = 0; count < WINDOWS; count++) {
      const query: AnalyticsQuery = { ...randomWindow(random, history), explain: true };
      const answers = [
        [queries.conversations(organizationId, query)],
        [queries.sales(organizationId, query)],
        ...agents.map((agent) => [queries.agent(organizationId, agent, query), agent] as const),
      ] as const;
      for (const [answer, agent] of answers) {
        const { explain } = await explanations.with<object>(answer, query, organizationId, agent);
        try {
          const expected = flat(await answer);
          expect(Object.keys(explain!).sort()).toEqual(Object.keys(expected).sort());
          const { responseTime = 0, ...others } = (await counted(explain!, random.integer(1, 4))) as Record<
            string,
            number
          >;
          const { responseTime: median = 0, ...figures } = expected;
          expect(others).toEqual(figures);
          expect(responseTime).toBeCloseTo(median as number, 5);
        } catch (error) {
          throw new Error(`PARLEY_SEED=${seed}, history ${nr}`, { cause: error });
        }
      }
    }
  }
  for (const figure of FIGURES) expect([figure, seen.get(figure)]).not.toEqual([figure, 0]);
}, 600_000);
