import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { DeliveryQueries } from '../delivery/deliveries.queries.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
});

afterAll(() => test.close());

it('finds the due notices of an organization, however many others have that are being sent', async () => {
  const busy = Array.from({ length: 30 }, (_, nr) => `org_busy_${nr}`);
  await test.database.query({
    text: `INSERT INTO review_notice (organization_id, notice_id, draft_id, draft_version, notified_emails, attempts, due_at, stream_version)
             SELECT organization_id, 'notice_' || nr, 'draft_' || nr, 1, '[]', 0, now() - interval '1 hour', 1
               FROM unnest($1::text[]) organization_id, generate_series(1, 20) nr
             UNION ALL VALUES ('org_other', 'notice_1', 'draft_1', 1, '[]'::jsonb, 0, now() - interval '1 minute', 1)`,
    values: [busy],
  });
  const queries = new DeliveryQueries(test.database);
  expect(await queries.dueNotices(500, 20, busy)).toEqual([
    { organization_id: 'org_other', notice_id: 'notice_1' },
  ]);
  expect(await queries.dueNotices(500, 20, [])).toHaveLength(500);
});
