import type { Database } from '#database/database.js';
import type { Statement } from '#database/statements/statement.js';
import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { DeliveryQueries } from './deliveries.queries.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
});

afterAll(() => test.close());

const WAITING = 100_000;

interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Step[];
}

/** Rows that the steps of a statement have read of tables, and whether one read all that waits. */
async function readingsOf(statement: Statement): Promise<{ rows: number; whole: boolean }> {
  const [explained] = await test.database.query<{ 'QUERY PLAN': [{ Plan: Step }] }>({
    text: `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`,
    values: statement.values,
  });
  const steps = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(steps)];
  const scans = steps(explained!['QUERY PLAN'][0].Plan).filter((step) => step['Node Type'].endsWith('Scan'));
  return {
    rows: scans.reduce((sum, one) => sum + one['Actual Rows']! + (one['Rows Removed by Filter'] ?? 0), 0),
    whole: scans.some((step) => step['Node Type'] === 'Seq Scan' && step['Relation Name'] === 'delivery'),
  };
}

it('reads by an index only what is due, however many drafts wait for their instant', async () => {
  await test.database.query({
    text: `INSERT INTO delivery (organization_id, draft_id, modality, status, attempts, due_at)
             SELECT 'org_1', 'draft_' || nr, 'email', 'queued', 0,
                    now() + CASE WHEN nr <= 3 THEN interval '-1 second' ELSE nr * interval '1 minute' END
               FROM generate_series(1, $1) nr`,
    values: [WAITING],
  });
  await test.database.query({ text: 'ANALYZE delivery' });
  const asked: Statement[] = [];
  const watched = {
    query: (statement: Statement) => {
      asked.push(statement);
      return test.database.query(statement);
    },
  } as unknown as Database;
  const queries = new DeliveryQueries(watched);
  expect(await queries.organizationsWithDue()).toEqual([{ organization_id: 'org_1', missing_worker: null }]);
  await queries.dueDrafts('org_1', await test.database.now(), 20, [], []);
  expect(asked).toHaveLength(2);
  for (const statement of asked) {
    const { rows, whole } = await readingsOf(statement);
    expect({ whole, few: rows <= 10 }).toEqual({ whole: false, few: true });
  }
});
