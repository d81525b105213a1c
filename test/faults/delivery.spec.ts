import { spawnSync } from 'node:child_process';
import { type Fate, faultRun, KILL_POINTS } from '../support/server/fault-run.js';
import { startRedis, type TestRedis } from '../support/server/redis.js';

/** PARLEY_FAULT_RUNS of them, each with a seed of its own. */
const RUNS = Number(process.env['PARLEY_FAULT_RUNS'] ?? 1);
const FIRST_SEED = Number(process.env['PARLEY_FAULT_SEED'] ?? 1);
const MAILS = 40;
const TEXTS = 20;

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

describe('with everything going wrong', () => {
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    if (hasRedis) redis = await startRedis();
  });
  afterAll(async () => {
    await redis?.close();
    printTotals();
  });

  it.each(Array.from({ length: RUNS }, (_, nr) => FIRST_SEED + nr))(
    'every draft ends, none is lost, and none is sent twice where that can be known (seed %i)',
    async (seed) => {
      // In turns on either queue; a single run, with the one that can be flushed.
      const onRedis = redis !== undefined && seed % 2 === 1;
      const { fates, counts } = await faultRun(
        seed,
        MAILS,
        TEXTS,
        onRedis ? `${redis!.url}/${seed % 1_000}` : undefined,
        onRedis ? () => redis!.flush() : undefined,
      );
      print(seed, onRedis, fates, counts);
      add(fates, counts);
      expect(fates).toHaveLength(MAILS + TEXTS + KILL_POINTS.length);
      for (const fate of fates) {
        expect(['promoted', 'failed', 'uncertain']).toContain(fate.end);
        if (fate.end !== 'promoted') expect(fate.reason).toMatch(/\S/);
        else expect(fate.held).toBeGreaterThanOrEqual(1);
        if (fate.held > 1) expect(fate).toMatchObject({ kind: 'mail', unknowable: true, messageIds: 1 });
        if (fate.kind === 'text') expect(fate.held).toBeLessThanOrEqual(1);
        else expect(fate.messageIds).toBeLessThanOrEqual(1);
      }
    },
    300_000,
  );
});

function print(seed: number, onRedis: boolean, fates: Fate[], counts: Record<string, number>): void {
  const rows = ['promoted', 'failed', 'uncertain'].map((end) => {
    const of = (kind: string) => fates.filter((fate) => fate.end === end && fate.kind === kind);
    const copies = of('mail').filter(({ held }) => held > 1).length;
    return `${end.padEnd(10)} mails ${String(of('mail').length).padStart(3)} (${copies} in copies)  texts ${String(of('text').length).padStart(3)}`;
  });
  const faults = Object.entries(counts)
    .sort()
    .map(([what, count]) => `${what} ${count}`)
    .join(', ');
  process.stdout.write(
    `\nFaults, seed ${seed}, queue on ${onRedis ? 'Redis' : 'PostgreSQL'}:\n${rows.join('\n')}\n${faults}\n`,
  );
}

const allFates: Fate[] = [];
const allCounts: Record<string, number> = {};

function add(fates: Fate[], counts: Record<string, number>): void {
  allFates.push(...fates);
  for (const [what, count] of Object.entries(counts)) allCounts[what] = (allCounts[what] ?? 0) + count;
}

/** What happened in all runs together. */
function printTotals(): void {
  const number = (meets: (fate: Fate) => boolean) => allFates.filter(meets).length;
  const faults = Object.entries(allCounts).filter(([what]) => !/^(mail|text): accepted$/.test(what));
  const rows: [string, number][] = [
    ['runs', RUNS],
    ['drafts', allFates.length],
    ['faults', faults.reduce((sum, [, count]) => sum + count, 0)],
    ...faults.sort().map(([what, count]): [string, number] => [`  ${what}`, count]),
    ...['promoted', 'failed', 'uncertain'].map((end): [string, number] => [
      end,
      number((one) => one.end === end),
    ]),
    [
      'copies under one Message-ID, outcome unknowable',
      number(({ held, unknowable }) => held > 1 && unknowable),
    ],
    ['duplicates', number(({ held, unknowable }) => held > 1 && !unknowable)],
    ['lost', number(({ end, held }) => end === 'promoted' && held === 0)],
  ];
  const width = Math.max(...rows.map(([what]) => what.length));
  const lines = rows.map(([what, count]) => `${what.padEnd(width)}  ${String(count).padStart(6)}`);
  process.stdout.write(`\nAll faults together:\n${lines.join('\n')}\n`);
}
