import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { deleteById, foundByIds } from './by-ids.js';

/** So many rows the newcomer has; the statistics know of none of them. */
const NEWCOMERS_ROWS = 5_000;

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
  for (const text of [
    `CREATE TABLE thing (organization_id text, thing_id text, made_at timestamptz, PRIMARY KEY (organization_id, thing_id))
       WITH (autovacuum_enabled = false)`,
    'CREATE INDEX thing_newest ON thing (organization_id, made_at DESC)',
    `INSERT INTO thing SELECT 'org_' || n / 10, 'thing_' || n, now() FROM generate_series(1, 20000) n`,
    'ANALYZE thing',
    `INSERT INTO thing SELECT 'org_new', 'new_' || n, now() FROM generate_series(1, ${NEWCOMERS_ROWS}) n`,
  ])
    await test.database.query({ text });
});

afterAll(() => test.close());

interface Plan {
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** How many rows a kept plan of this statement reads in vain when it is run for these ids of the newcomer. */
async function readInVain(text: string, type: string, ids: string): Promise<number> {
  const [answer] = await test.database.transaction(async (tx) => {
    await tx.query({ text: `PREPARE asked (text, ${type}) AS ${text}` });
    const rows = await tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
      text: `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked ('org_new', '${ids}')`,
    });
    await tx.query({ text: 'DEALLOCATE asked' });
    return rows;
  });
  const sum = (plan: Plan): number =>
    (plan['Rows Removed by Filter'] ?? 0) + (plan.Plans ?? []).reduce((all, part) => all + sum(part), 0);
  return sum(answer!['QUERY PLAN'][0].Plan);
}

const TWO = '{new_1,new_4999}';

describe('rows by their ids', () => {
  const found = `SELECT found.* FROM ${foundByIds('thing', 'thing_id', 'thing_id, made_at')}`;

  it('are each read by their key in an organization that the statistics do not know', async () => {
    expect(await readInVain(found, 'text[]', TWO)).toBe(0);
  });

  it('are each deleted by its key there, too', async () => {
    expect(await readInVain(deleteById('thing', 'thing_id'), 'text', 'new_4999')).toBe(0);
  });

  it('would be looked for in all of the organization by a plain condition', async () => {
    const plain = 'SELECT thing_id FROM thing WHERE organization_id = $1 AND thing_id = ANY ($2)';
    expect(await readInVain(plain, 'text[]', TWO)).toBeGreaterThan(NEWCOMERS_ROWS / 2);
  });
});
