import { setImmediate as turn } from 'node:timers/promises';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { openDatabase } from './data-source.js';
import type { Database } from './database.js';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
  await database.query({ text: 'CREATE TABLE note (line int PRIMARY KEY)' });
});

beforeEach(() => database.query({ text: 'TRUNCATE note' }));

afterAll(() => test.close());

const insert = (line: number) => ({ text: 'INSERT INTO note VALUES ($1)', values: [line] });
const lines = async () =>
  (await database.query<{ line: number }>({ text: 'SELECT line FROM note ORDER BY line' })).map(
    ({ line }) => line,
  );

describe('a unit of work', () => {
  it('commits together what is done in it by any means, and shows it to nobody before', async () => {
    let outside: number[] = [];
    const inside = await database.unitOfWork(async (tx) => {
      await database.query(insert(1));
      await database.atomically([insert(2), insert(3)]);
      await database.transaction((own) => own.query(insert(4)));
      await tx.query(insert(5));
      outside = await fromOutside();
      return lines();
    });
    expect([outside, inside, await lines()]).toEqual([[], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]);
  });

  /** What another connection sees. */
  async function fromOutside(): Promise<number[]> {
    const other = await openDatabase({ url: test.url, poolSize: 1, entities: [], migrations: [] });
    const rows = await other.query<{ line: number }>({ text: 'TABLE note' });
    await other.close();
    return rows.map(({ line }) => line);
  }

  it('needs one connection, so that many at once do not wait for each other', async () => {
    const narrow = await openDatabase({ url: test.url, poolSize: 2, entities: [], migrations: [] });
    await Promise.all(
      Array.from({ length: 20 }, (_, nr) =>
        narrow.unitOfWork(async () => {
          await narrow.query({ text: 'SELECT pg_sleep(0.01)' });
          await narrow.transaction((tx) => tx.query(insert(nr)));
        }),
      ),
    );
    await narrow.close();
    expect(await lines()).toHaveLength(20);
  });

  it('that fails leaves nothing, and does nothing that was to follow', async () => {
    let followed = false;
    const failed = database.unitOfWork(async () => {
      await database.query(insert(1));
      database.afterCommit(() => (followed = true));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect([await lines(), followed]).toEqual([[], false]);
  });

  it('does what is to follow once it is committed, in order', async () => {
    const seen: unknown[] = [];
    await database.unitOfWork(async () => {
      database.afterCommit(() => seen.push('first'));
      database.afterCommit(() => seen.push(database.inUnitOfWork));
      await database.query(insert(1));
      seen.push('end');
    });
    expect(seen).toEqual(['end', 'first', false]);
  });

  it('is not there for what runs beside it', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const open = database.unitOfWork(async () => {
      await database.query(insert(1));
      await released;
    });
    await turn();
    expect(database.inUnitOfWork).toBe(false);
    expect(await lines()).toEqual([]);
    while (
      (await database.query({ text: `SELECT FROM pg_locks WHERE relation = 'note'::regclass` })).length < 1
    );
    release();
    await open;
    expect(await lines()).toEqual([1]);
  });

  it('refuses statements of a branch of the work that outlives it', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const failed = database.unitOfWork(async () => {
      late = turn()
        .then(() => turn())
        .then(() => failed.catch(() => {}))
        .then(() => database.query(insert(1)));
      late.catch(() => {});
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await expect(late).rejects.toThrow('has ended');
    expect(await lines()).toEqual([]);
  });

  it('runs again as a whole when it is ended to break a deadlock', async () => {
    await database.query(insert(1));
    await database.query(insert(2));
    let runs = 0;
    let held = 0;
    const both: (() => void)[] = [];
    const met = new Promise<void>((resolve) => both.push(resolve));
    const lock = (line: number) =>
      database.query({ text: 'SELECT FROM note WHERE line = $1 FOR UPDATE', values: [line] });
    const over: (() => void)[] = [];
    const survived = new Promise<void>((resolve) => over.push(resolve));
    const work = async (first: number, second: number) => {
      const result = await database.unitOfWork(async () => {
        // Who was ended comes back when the other is through, or they might meet again.
        if (++runs > 2) await survived;
        await lock(first);
        if (++held === 2) both[0]!();
        await met;
        await lock(second);
        return second;
      });
      over[0]!();
      return result;
    };
    expect(await Promise.all([work(1, 2), work(2, 1)])).toEqual([2, 1]);
    expect(runs).toBe(3);
  });
});

it('without a unit of work, what is to follow a commit is done at once', () => {
  let followed = false;
  database.afterCommit(() => (followed = true));
  expect(followed).toBe(true);
});
