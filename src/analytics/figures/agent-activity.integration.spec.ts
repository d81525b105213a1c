import type { Statement } from '#database/statements/statement.js';
import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { readAgentActivity } from './conversation-figures.queries.js';

const RESPONSES = 5_000;

let test: TestDatabase;

beforeAll(async () => (test = await testDatabase()));
afterAll(() => test.close());

interface Node {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

/** Rows that a plan has read, the ones that it did not want included. */
const rowsOf = (node: Node): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, below) => sum + rowsOf(below), 0);

it('reads nothing of what an agent sent long after the beginning of the window', async () => {
  await test.database.query({
    text: `INSERT INTO analytics_message (organization_id, conversation_id, message_id, sent_at, message_direction, agent_id, modality,
                                          is_form_request, is_auto_reply, arrived_as_copy, is_response, previous_at, gap)
           SELECT 'org_1', 'conv_' || n, 'msg_' || n, at, 'sent', 'agent_1', 'email', false, false, false, true,
                  at - interval '5 hours', 1
             FROM generate_series(1, $1::int) n, LATERAL (SELECT '2025-03-01T00:00:00Z'::timestamptz + n * interval '1 minute' AS at) placed`,
    values: [RESPONSES],
  });
  await test.database.query({ text: 'VACUUM (ANALYZE) analytics_message' });
  let read = 0;
  await test.database.transaction(async (tx) => {
    const explaining = {
      query: async <Row>(statement: Statement): Promise<Row[]> => {
        const [{ 'QUERY PLAN': plans }] = (await tx.query({
          text: `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`,
          values: statement.values,
        })) as [{ 'QUERY PLAN': { Plan: Node }[] }];
        read += rowsOf(plans[0]!.Plan);
        return [];
      },
    };
    const window = { start_date: '2025-01-01T00:00:00.000000Z', end_date: '2026-01-01T00:00:00.000000Z' };
    await readAgentActivity(explaining, 'org_1', 'agent_1', window);
  });
  expect(read).toBeLessThan(500);
});
