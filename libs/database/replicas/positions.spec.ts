import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import type { Reader, Statement } from '../statements/statement.js';
import { PLACE, type Place } from './position.js';
import { WritePositions } from './positions.js';

let test: TestDatabase;
beforeAll(async () => (test = await testDatabase()));
beforeEach(() => test.database.query({ text: 'TRUNCATE write_position' }));
afterAll(() => test.close());

const said: string[] = [];
const log = { warn: (text: string) => void said.push(text) };
const positions = (reader: Reader = test.database) => new WritePositions(reader, log);

const end = async (): Promise<number> => (await test.database.query<Place>({ text: PLACE }))[0]!.position;

describe('the position of a key', () => {
  it('is known to all processes, and lies behind what it had written', async () => {
    await test.database.query({ text: `SELECT pg_logical_emit_message(true, 'test', 'something written')` });
    const written = await end();
    await positions().note('key_1');
    const position = await positions().of('key_1');
    expect(position).toBeGreaterThanOrEqual(written);
    expect(await end()).toBeGreaterThanOrEqual(position);
  });

  it('goes on with each write of its own alone', async () => {
    const [one, other] = [positions(), positions()];
    await one.note('key_1');
    await other.note('key_2');
    const before = await Promise.all([one.of('key_1'), one.of('key_2')]);
    await other.note('key_1');
    const after = await Promise.all([one.of('key_1'), one.of('key_2')]);
    expect(after[0]).toBeGreaterThan(before[0]);
    expect(after[1]).toBe(before[1]);
  });

  it('is the beginning for a key that has not written', async () =>
    expect(await positions().of('key_x')).toBe(0));

  it('is forgotten when every replica in use must have it', async () => {
    await positions().note('key_1');
    await positions().note('key_2');
    await test.database.query({
      text: `UPDATE write_position SET written_at = written_at - interval '1 minute' WHERE key_id = 'key_1'`,
    });
    await positions().forgetOld();
    expect(await test.database.query({ text: 'SELECT key_id FROM write_position' })).toEqual([
      { key_id: 'key_2' },
    ]);
  });
});

describe('what a key has seen on the primary', () => {
  const write = () =>
    test.database.query({ text: `SELECT pg_logical_emit_message(true, 'test', 'by another')` });

  it('lies before what it reads next, and stays there when others write on', async () => {
    const own = positions();
    await write();
    const seen = await end();
    own.noteSeen('key_1');
    const position = await own.of('key_1');
    expect(position).toBeGreaterThanOrEqual(seen);
    await write();
    expect(await own.of('key_1')).toBe(position);
    expect(await own.of('key_2')).toBe(0);
    own.noteSeen('key_1');
    expect(await own.of('key_1')).toBeGreaterThan(position);
  });

  it('never lies before what it has written', async () => {
    const own = positions();
    own.noteSeen('key_1');
    const seen = await own.of('key_1');
    await own.note('key_1');
    expect(await own.of('key_1')).toBeGreaterThanOrEqual(seen);
  });
});

/** Answers when it is told to, in order. */
function slowReader() {
  const asked: { statement: Statement; answer: () => void; refuse: () => void }[] = [];
  const query = (statement: Statement) =>
    new Promise<never[]>((resolve, reject) =>
      asked.push({ statement, answer: () => resolve([]), refuse: () => reject(new Error('away')) }),
    );
  return { asked, reader: { query } };
}

const turns = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('one statement at a time', () => {
  it('reads for all who ask, and anew for those who ask while it is under way', async () => {
    const { asked, reader } = slowReader();
    const slow = positions(reader);
    const first = [slow.of('key_1'), slow.of('key_2'), slow.of('key_1')];
    await turns();
    const later = slow.of('key_1');
    await turns();
    expect(asked.map(({ statement }) => statement.values)).toEqual([[['key_1', 'key_2']]]);
    asked[0]!.answer();
    await Promise.all(first);
    await turns();
    expect(asked[1]!.statement.values).toEqual([['key_1']]);
    asked[1]!.answer();
    expect(await later).toBe(0);
  });

  it('notes all who have written, and each is done only when its own is noted', async () => {
    const { asked, reader } = slowReader();
    const slow = positions(reader);
    const done: string[] = [];
    const note = (keyId: string) => slow.note(keyId).then(() => done.push(keyId));
    const first = note('key_1');
    await turns();
    const later = [note('key_2'), note('key_1')];
    asked[0]!.answer();
    await first;
    await turns();
    expect(done).toEqual(['key_1']);
    expect(asked[1]!.statement.values).toEqual([['key_2', 'key_1']]);
    asked[1]!.answer();
    await Promise.all(later);
  });
});

it('a key whose write could not be noted has to read from the primary, and its request goes on', async () => {
  const { asked, reader } = slowReader();
  const slow = positions(reader);
  const noted = slow.note('key_1');
  await turns();
  asked[0]!.refuse();
  await noted;
  const read = [slow.of('key_1'), slow.of('key_2')];
  await turns();
  asked[1]!.answer();
  expect(await Promise.all(read)).toEqual([Infinity, 0]);
  expect(said).toEqual([expect.stringMatching(/writes of 1 keys were not noted.*away/)]);
});
