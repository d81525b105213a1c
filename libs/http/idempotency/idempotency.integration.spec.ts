import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { beginRequest, forgetOldAnswers, keepAnswer } from './idempotency.queries.js';

let test: TestDatabase;
beforeAll(async () => (test = await testDatabase()));
afterAll(() => test.close());

const identity = (nr: number) => ({ organizationId: 'org_x', id: `request ${nr}`, fingerprint: 'same' });
const ANSWER = { status: 201, headers: { etag: '"1"' }, body: '{"a": 1}' };
const answerOf = (nr: number) =>
  test.database.transaction(async (tx) => (await beginRequest(tx, identity(nr))).answer);

it('forgets the answers that are older than 24 hours, and no others', async () => {
  for (const nr of [1, 2, 3]) await test.database.transaction((tx) => keepAnswer(tx, identity(nr), ANSWER));
  await test.database.query({
    text: `UPDATE idempotency SET created_at = created_at - interval '24 hours' WHERE request <> 'request 2'`,
  });
  expect(await forgetOldAnswers(test.database)).toBe(false);
  const left = await test.database.query({ text: 'SELECT request FROM idempotency' });
  expect(left).toEqual([{ request: 'request 2' }]);
  expect(await answerOf(2)).toEqual({ fingerprint: 'same', ...ANSWER });
  expect(await answerOf(1)).toBeUndefined();
});

it('lets one transaction at a time have a request', async () => {
  await test.database.transaction(async (one) => {
    expect((await beginRequest(one, identity(9))).alone).toBe(true);
    await test.database.transaction(async (other) => {
      expect((await beginRequest(other, identity(9))).alone).toBe(false);
      expect((await beginRequest(other, identity(8))).alone).toBe(true);
    });
  });
  await test.database.transaction(async (later) => {
    expect((await beginRequest(later, identity(9))).alone).toBe(true);
  });
});
