import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import type { Database } from '../database.js';
import { openDatabase } from '../data-source.js';
import { RowReader } from './row-reader.js';
import type { Reader } from './statement.js';

interface Note {
  note_id: string;
  line: string | null;
}

const NOTES = { name: 'note', table: 'note', key: 'note_id', columns: 'note_id, line' };

let test: TestDatabase;
let database: Database;
let notes: RowReader<Note>;

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
  await database.query({
    text: 'CREATE TABLE note (organization_id text, note_id text, line text, PRIMARY KEY (organization_id, note_id))',
  });
  notes = new RowReader(database, NOTES);
});

beforeEach(() => database.query({ text: 'TRUNCATE note' }));

afterAll(() => test.close());

const write = (organizationId: string, id: string, line: string | null, by: Reader = database) =>
  by.query({ text: 'INSERT INTO note VALUES ($1, $2, $3)', values: [organizationId, id, line] });

describe('rows that are read at the same time', () => {
  it('come to who asked for them, of whatever organization, and undefined for one that is not there', async () => {
    await write('org_a', 'one', 'of a');
    await write('org_b', 'one', 'of b');
    await write('org_b', 'two', null);
    const asked = [
      ['org_b', 'two'],
      ['org_a', 'one'],
      ['org_a', 'two'],
      ['org_b', 'one'],
      ['org_a', 'one'],
    ] as const;
    const found = await Promise.all(asked.map(([organization, id]) => notes.one(organization, id)));
    expect(found).toEqual([
      { note_id: 'two', line: null },
      { note_id: 'one', line: 'of a' },
      undefined,
      { note_id: 'one', line: 'of b' },
      { note_id: 'one', line: 'of a' },
    ]);
  });

  it('are those that a condition admits, where the key is of a part of the table', async () => {
    await write('org_a', 'one', 'done');
    await write('org_a', 'two', 'open');
    const open = new RowReader<Note>(database, { ...NOTES, name: 'open_note', where: `line = 'open'` });
    const [one, two] = await Promise.all(['one', 'two'].map((id) => open.one('org_a', id)));
    expect([one, two]).toEqual([undefined, { note_id: 'two', line: 'open' }]);
  });

  it('share a statement with those of their organization', async () => {
    const ids = Array.from({ length: 100 }, (_, nr) => `note_${nr}`);
    await Promise.all(ids.map((id) => write('org_a', id, null)));
    const columns = 'note_id, statement_timestamp()::text AS read_at';
    const reader = new RowReader<{ note_id: string; read_at: string }>(database, {
      ...NOTES,
      name: 'timed_note',
      columns,
    });
    const found = await Promise.all(ids.map((id) => reader.one('org_a', id)));
    expect(found.map((row) => row?.note_id)).toEqual(ids);
    expect(new Set(found.map((row) => row?.read_at)).size).toBe(1);
  });

  it('hold what was committed before they were asked for, however many reads are under way', async () => {
    for (let nr = 0; nr < 50; nr++) {
      const earlier = Array.from({ length: 10 }, () => notes.one('org_a', `note_${nr}`));
      await write('org_a', `note_${nr}`, 'written');
      expect(await notes.one('org_a', `note_${nr}`)).toEqual({ note_id: `note_${nr}`, line: 'written' });
      await Promise.all(earlier);
    }
  });

  it('hold in a unit of work what it has written itself, which others do not see', async () => {
    const others = await openDatabase({ url: test.url, poolSize: 1, entities: [], migrations: [] });
    const [inside, outside] = await database.unitOfWork(async (tx) => {
      await write('org_a', 'one', 'mine', tx);
      return [await notes.one('org_a', 'one'), await new RowReader(others, NOTES).one('org_a', 'one')];
    });
    await others.close();
    expect([inside, outside]).toEqual([{ note_id: 'one', line: 'mine' }, undefined]);
  });

  it('do not fail because another is asked for by what PostgreSQL refuses as a text', async () => {
    await write('org_a', 'one', 'of a');
    const ids = ['first', 'second', 'one', 'U+0000: \0', 'one'];
    const outcomes = await Promise.allSettled(ids.map((id) => notes.one('org_a', id)));
    const row = { status: 'fulfilled', value: { note_id: 'one', line: 'of a' } };
    expect(outcomes.slice(2)).toEqual([row, expect.objectContaining({ status: 'rejected' }), row]);
  });

  it('fail when their table is away, and nothing that is asked for later does', async () => {
    await database.query({ text: 'ALTER TABLE note RENAME TO away' });
    const failed = await Promise.allSettled(['one', 'two'].map((id) => notes.one('org_a', id)));
    await database.query({ text: 'ALTER TABLE away RENAME TO note' });
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await notes.one('org_a', 'one')).toBeUndefined();
  });
});

describe('rows that are read within a room', () => {
  it('are those with the ids, in their order, and all of them where there is room', async () => {
    for (const id of ['one', 'two', 'three']) await write('org_a', id, 'of a');
    await write('org_b', 'four', 'of b');
    const { rows, isWhole } = await notes.within(1_000, 'org_a', ['three', 'four', 'one']);
    expect([rows.map(({ note_id }) => note_id), isWhole]).toEqual([['three', 'one'], true]);
  });

  it('are the first ones where there is none for all, and one at least', async () => {
    const ids = ['one', 'two', 'three'];
    for (const id of ids) await write('org_a', id, 'x'.repeat(400));
    for (const [room, count] of [
      [1_000, 2],
      [10, 1],
    ] as const) {
      const { rows, isWhole } = await notes.within(room, 'org_a', ids);
      expect([room, rows.map(({ note_id }) => note_id), isWhole]).toEqual([room, ids.slice(0, count), false]);
    }
  });
});
