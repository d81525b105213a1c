import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { SameReads } from './same-reads.js';

let test: TestDatabase;
let reads: SameReads;

beforeAll(async () => {
  test = await testDatabase();
  reads = new SameReads(test.database);
});

afterAll(() => test.close());

const AT = 'SELECT $1::int AS nr, clock_timestamp()::text AS at';
const read = (nr: number) => reads.query<{ nr: number; at: string }>({ name: 'at', text: AT, values: [nr] });

it('reads once what is asked for in one turn with the same values, and again what is asked for later', async () => {
  const [one, same, other] = await Promise.all([read(1), read(1), read(2)]);
  expect([one, same, other].map(([row]) => row!.nr)).toEqual([1, 1, 2]);
  expect(same).toEqual(one);
  expect(other[0]!.at).not.toBe(one[0]!.at);
  expect((await read(1))[0]!.at > one[0]!.at).toBe(true);
});

it('reads in a unit of work what was written there', async () => {
  await test.database.query({ text: 'CREATE TABLE note (line int)' });
  const notes = () => reads.query({ name: 'notes', text: 'SELECT line FROM note', values: [] });
  const inside = await test.database.unitOfWork(async (tx) => {
    await tx.query({ text: 'INSERT INTO note VALUES (1)' });
    return notes();
  });
  expect(inside).toEqual([{ line: 1 }]);
});

it('fails for all who asked, and for nobody who asks later', async () => {
  const divided = (by: number) =>
    reads.query({ name: 'divided', text: 'SELECT 1 / $1::int AS nr', values: [by] });
  const failed = await Promise.allSettled([divided(0), divided(0)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await divided(1)).toEqual([{ nr: 1 }]);
});
