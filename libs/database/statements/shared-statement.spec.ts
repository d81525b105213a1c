import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import type { Database } from '../database.js';
import type { Statement } from './statement.js';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
  await database.query({
    text: 'CREATE TABLE note (owner text, tag text, nr int, PRIMARY KEY (owner, tag, nr))',
  });
  await database.query({
    text: `CREATE TABLE lock_taken (owner text, tags text[]);
           CREATE FUNCTION take_lock(owner text, tags text[]) RETURNS void LANGUAGE sql
             AS 'INSERT INTO lock_taken VALUES (owner, tags)'`,
  });
});

beforeEach(async () => {
  await database.query({ text: 'TRUNCATE note, lock_taken' });
  await database.query({
    text: `INSERT INTO note VALUES ('a', 'red', 1), ('a', 'red', 2), ('a', 'blue', 3), ('b', 'red', 4)`,
  });
});

afterAll(() => test.close());

interface Note {
  nr: number;
  /** The same for all rows of one statement. */
  at: string;
}

const notes = (owner: string, tags: string[], least = 0): Statement => ({
  name: 'notes',
  text: `SELECT nr, statement_timestamp()::text AS at FROM note
          WHERE owner = $1 AND tag = ANY ($2) AND nr >= $3 ORDER BY nr DESC`,
  values: [owner, tags, least],
  share: { types: ['text', 'text[]', 'int'] },
});

const lock = (tags: string[]): Statement => ({
  name: 'take_lock',
  text: 'SELECT take_lock($1, $2)',
  values: ['a', tags],
  share: { types: ['text', 'text[]'], isLock: true },
});

const insert = (nr: number): Statement => ({
  text: `INSERT INTO note VALUES ('a', 'red', $1)`,
  values: [nr],
});

const numbers = (found: Note[][]) => found.map((rows) => rows.map(({ nr }) => nr));

const asked = (...statements: Statement[]): Promise<Note[][]> =>
  database.transaction((tx) => Promise.all(statements.map((statement) => tx.query<Note>(statement))));

describe('statements that a transaction is asked for in one turn', () => {
  it('go as one, and each has the rows that it would have alone, in their order', async () => {
    const wanted = [
      notes('a', ['red']),
      notes('a', ['green']),
      notes('a', ['blue', 'red'], 2),
      notes('a', ['"', '{red}', 'red', 'sl\\ash']),
      notes('a', []),
    ];
    const found = await asked(...wanted);
    expect(numbers(found)).toEqual([[2, 1], [], [3, 2], [2, 1], []]);
    expect(new Set(found.flat().map(({ at }) => at)).size).toBe(1);
    expect(Object.keys(found[0]![0]!)).toEqual(['nr', 'at']);
  });

  it('go with those of the same first value alone', async () => {
    const [one, other, same] = await asked(notes('a', ['red']), notes('b', ['red']), notes('a', ['red']));
    expect(numbers([one!, other!, same!])).toEqual([[2, 1], [4], [2, 1]]);
    expect(one![0]!.at).toBe(same![0]!.at);
    expect(other![0]!.at).not.toBe(same![0]!.at);
  });

  it('read what was written before they were asked for, and not what is written behind them', async () => {
    const [before, , after] = await asked(notes('a', ['red']), insert(9), notes('a', ['red']));
    expect(numbers([before!, after!])).toEqual([
      [2, 1],
      [9, 2, 1],
    ]);
  });

  it('take their locks before they read', async () => {
    const taken: Statement = {
      name: 'taken',
      text: 'SELECT cardinality(tags) AS nr FROM lock_taken WHERE owner = $1 AND cardinality(tags) < $2',
      values: ['a', 9],
      share: { types: ['text', 'int'] },
    };
    const [, first, , second] = await asked(lock(['one']), taken, lock(['two', 'three']), taken);
    expect(numbers([first!, second!])).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('go before the transaction ends when nobody has waited for them', async () => {
    await database.transaction((tx) => {
      void tx.query(lock(['one']));
      void tx.query(lock(['two']));
      return Promise.resolve();
    });
    expect(await database.query({ text: 'SELECT tags[1] AS tag FROM lock_taken ORDER BY tag' })).toEqual([
      { tag: 'one' },
      { tag: 'two' },
    ]);
  });

  it('are refused without a type for each of their values', async () => {
    const untyped = { ...notes('a', ['red']), share: { types: ['text', 'text[]'] } };
    await expect(asked(untyped, untyped)).rejects.toThrow('notes: its values have other types');
  });

  it('fail together, with the reason that PostgreSQL gives', async () => {
    const broken = (divisor: number): Statement => ({
      name: 'divided',
      text: 'SELECT 1 / $2 AS nr WHERE $1 = $1::text',
      values: ['a', divisor],
      share: { types: ['text', 'int'] },
    });
    const outcomes = await database
      .transaction((tx) => Promise.allSettled([tx.query(broken(1)), tx.query(broken(0))]))
      .catch((error: Error) => error.message);
    expect(outcomes).toBe('division by zero');
  });
});
