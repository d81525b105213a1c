import type { Database } from '#database/database.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { until } from '../../test/support/until.js';
import { DueWork } from './due-work.js';
import { Sweeper } from './sweeper.js';

let test: TestDatabase;
let database: Database;
let work: DueWork;
let swept: string[];
/** Statements that it has asked, and the first of them that fail. */
let asked: string[];
let failing: number;

beforeEach(async () => {
  test = await testDatabase();
  database = test.database;
  await database.query({ text: 'CREATE TABLE piece (organization_id text, kind text, due_at timestamptz)' });
  [swept, asked, failing] = [[], [], 0];
  const counting = {
    query: (statement: { text: string }) => {
      asked.push(statement.text);
      return failing-- > 0 ? Promise.reject(new Error('away')) : database.query(statement);
    },
  } as unknown as Database;
  work = new DueWork(counting, 50);
});

afterEach(async () => {
  await work.beforeApplicationShutdown();
  await test.close();
});

const adds = (name: string) =>
  work.add({
    name,
    due: `SELECT organization_id FROM piece WHERE kind = '${name}' AND due_at <= now()`,
    sweeper: new Sweeper({ warn: () => {} }, () => Promise.resolve(void swept.push(name))),
  });
const become = (kind: string, after: string) =>
  database.query({
    text: `INSERT INTO piece VALUES ('org_1', $1, now() + $2::interval), ('org_2', $1, now() + $2::interval)`,
    values: [kind, after],
  });
const rounds = async (more: number) => {
  const before = asked.length;
  await until(() => asked.length >= before + more);
};

describe('due work', () => {
  it('of all kinds is asked for by one statement, and swept while it is due and once more', async () => {
    for (const name of ['mails', 'calls', 'letters']) adds(name);
    await become('mails', '0 seconds');
    await become('letters', '1 hour');
    await rounds(2);
    expect(new Set(asked).size).toBe(1);
    expect(swept).toContain('mails');
    await database.query({ text: `DELETE FROM piece WHERE kind = 'mails'` });
    await rounds(2);
    const before = swept.length;
    await rounds(2);
    expect(swept.slice(before)).toEqual([]);
    expect(new Set(swept)).toEqual(new Set(['mails']));
    await become('mails', '0 seconds');
    await rounds(2);
    await database.query({ text: 'DELETE FROM piece' });
    const due = swept.length;
    await until(() => swept.length === due + 1);
  });

  it('is found after a question that failed', async () => {
    failing = 2;
    adds('mails');
    await become('mails', '0 seconds');
    await until(() => swept.length > 0);
    expect(asked.length).toBeGreaterThan(2);
  });

  it('is not begun after its sweeper has ended', async () => {
    const sweeper = new Sweeper({ warn: () => {} }, () => Promise.resolve(void swept.push('mails')));
    work.add({ name: 'mails', due: `SELECT organization_id FROM piece`, sweeper });
    await sweeper.stop();
    await become('mails', '0 seconds');
    await rounds(2);
    expect(swept).toEqual([]);
  });
});
