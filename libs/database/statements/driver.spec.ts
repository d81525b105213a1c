import pg from 'pg';
import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { openDatabase } from '../data-source.js';
import type { Database } from '../database.js';
import { isCutShort } from './statement.js';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
});

afterAll(() => test.close());

const VALUES = `1 AS int, 9007199254740993 AS bigint, 0.10::numeric AS exact, 'Grace "Hopper"'::text AS "a ""name""", true AS yes,
  NULL::text AS nothing, NULL::jsonb AS no_json, '{"a": [1, null]}'::jsonb AS json, '{a,NULL}'::text[] AS texts,
  timestamptz '2026-01-02 03:04:05.6+02' AS instant, 'first'::text AS twice, 2 AS twice`;

it('gives the same rows to a statement with a name, without one, and with room for them', async () => {
  const text = `SELECT ${VALUES} FROM generate_series(1, 2)`;
  const [named, unnamed, withRoom] = await Promise.all([
    database.query({ name: 'of_all_types', text }),
    database.query({ text }),
    database.query({ text, room: 10_000 }),
  ]);
  expect([named, withRoom]).toEqual([unnamed, unnamed]);
  expect(named[0]).toMatchObject({ exact: '0.10', json: { a: [1, null] }, no_json: null, twice: 2 });
});

describe('a statement with room for so many bytes', () => {
  const TEXTS = `SELECT nr, repeat('ü', 50 * nr) AS text FROM generate_series(1, 6) nr`;
  const read = async (room: number) => {
    const rows = await database.query<{ nr: number }>({ name: 'in_room', text: TEXTS, room });
    return [...rows.map(({ nr }) => nr), isCutShort(rows)];
  };

  it('gives all of its rows where they fit', async () => {
    expect(await read(2_500)).toEqual([1, 2, 3, 4, 5, 6, false]);
  });

  it('gives those that fit and says so', async () => {
    expect(await read(1_000)).toEqual([1, 2, 3, true]);
  });

  it('gives the first, however large it is', async () => {
    expect(await read(10)).toEqual([1, true]);
  });

  it('fails as it would without', async () => {
    const failing = { text: 'SELECT 1 / $1::int AS none', values: [0], room: 10 };
    await expect(database.query(failing)).rejects.toThrow('division by zero');
    await expect(database.transaction((tx) => tx.query(failing))).rejects.toThrow('division by zero');
  });
});

it('reads a column by the type that it has now', async () => {
  await database.query({ text: 'CREATE TABLE thing (value int)' });
  await database.query({ text: 'INSERT INTO thing VALUES (1)' });
  const statement = { name: 'things', text: 'SELECT value FROM thing' };
  expect(await database.query(statement)).toEqual([{ value: 1 }]);

  await database.query({ text: 'ALTER TABLE thing ALTER value TYPE text' });
  const later = await openDatabase({ url: test.url, poolSize: 1, entities: [], migrations: [] });
  try {
    expect(await later.query(statement)).toEqual([{ value: '1' }]);
  } finally {
    await later.close();
  }
});

it('fails a statement whose rows cannot be read, and no other', async () => {
  const { CIDR } = pg.types.builtins;
  const parseCidr = pg.types.getTypeParser(CIDR);
  pg.types.setTypeParser(CIDR, () => {
    throw new Error('no network');
  });
  try {
    const network = database.query({
      name: 'network',
      text: `SELECT cidr '10.0.0.0/8' FROM generate_series(1, 2)`,
    });
    await expect(network).rejects.toThrow('no network');
  } finally {
    pg.types.setTypeParser(CIDR, parseCidr);
  }
  expect(await database.query({ name: 'after', text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
});
