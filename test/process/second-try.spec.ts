import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** What a test file does, in JavaScript. */
const WELL = `it('passes', () => {}); it('passes, too', () => {});`;
const NEVER = `it('passes', () => {}); it('fails', () => { throw new Error('always'); });`;
const BY_CHANCE = `const { existsSync, writeFileSync } = require('node:fs');
  it('passes', () => {});
  it('fails once', () => {
    const mark = __filename + '.mark';
    if (existsSync(mark)) return;
    writeFileSync(mark, '');
    throw new Error('by chance');
  });`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-second-try-'));
  mkdirSync(join(folder, 'test'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs CI's tests of these files, each list in a run of its own, and gives the last lines and the exit code of the sum. */
function ci(...runs: Record<string, string>[]): { lines: string[]; code: number | null } {
  const env = { ...process.env, PARLEY_CI_RESULTS: join(folder, 'results') };
  const codes = runs.map((files, nr) => {
    const tier = `tier${nr}`;
    for (const [name, body] of Object.entries(files))
      writeFileSync(join(folder, `${name}.${tier}.spec.js`), body);
    const project = { displayName: tier, rootDir: folder, testRegex: [`${tier}\\.spec\\.js$`] };
    const config = {
      rootDir: folder,
      reporters: [join(ROOT, 'test/support/jest/results-reporter.js')],
      projects: [{ ...project, transform: {} }],
    };
    const path = join(folder, `${tier}.config.json`);
    writeFileSync(path, JSON.stringify(config));
    return spawnSync(process.execPath, ['.ci/jest.mjs', path, tier], { cwd: ROOT, env }).status;
  });
  return summedUp(codes.every((code) => code === 0) ? '0' : '1');
}

function summedUp(status: string): { lines: string[]; code: number | null } {
  const env = { ...process.env, PARLEY_CI_RESULTS: join(folder, 'results') };
  const script = join(ROOT, '.ci/sum.mjs');
  const sum = spawnSync(process.execPath, [script, status], { cwd: folder, env, encoding: 'utf8' });
  return { lines: sum.stdout.trim().split('\n'), code: sum.status };
}

describe('a run of CI', () => {
  it('passes where all files pass, and counts their tests', () =>
    expect(ci({ one: WELL, other: WELL })).toEqual({ lines: ['4 passed, 0 failed'], code: 0 }));

  it('passes where a file fails by chance, and names it', () =>
    expect(ci({ one: WELL, other: BY_CHANCE })).toEqual({
      lines: ['passed on the second try: other.tier0.spec.js (tier0): fails once', '4 passed, 0 failed'],
      code: 0,
    }));

  it('fails where a file fails again, which is named and not counted twice', () =>
    expect(ci({ one: WELL, other: NEVER })).toEqual({
      lines: ['failed: other.tier0.spec.js (tier0): fails', '3 passed, 1 failed'],
      code: 1,
    }));

  it('fails where a file cannot be loaded', () =>
    expect(ci({ one: WELL, other: 'throw new Error()' })).toEqual({
      lines: ['failed: other.tier0.spec.js (tier0): could not be run', '2 passed, 1 failed'],
      code: 1,
    }));

  it('repeats nothing where three files fail at once', () =>
    expect(ci({ one: BY_CHANCE, two: BY_CHANCE, three: BY_CHANCE })).toEqual({
      lines: [
        'failed: one.tier0.spec.js (tier0): fails once',
        'failed: three.tier0.spec.js (tier0): fails once',
        'failed: two.tier0.spec.js (tier0): fails once',
        '3 passed, 3 failed',
      ],
      code: 1,
    }));

  it('repeats no third file, in whichever run it fails', () =>
    expect(ci({ one: BY_CHANCE, two: BY_CHANCE }, { three: BY_CHANCE })).toEqual({
      lines: [
        'failed: three.tier1.spec.js (tier1): fails once',
        'passed on the second try: one.tier0.spec.js (tier0): fails once',
        'passed on the second try: two.tier0.spec.js (tier0): fails once',
        '5 passed, 1 failed',
      ],
      code: 1,
    }));

  it('fails where a step failed beside the tests, or nothing ran', () => {
    expect(summedUp('0')).toEqual({ lines: ['0 passed, 1 failed'], code: 1 });
    writeFileSync(join(folder, 'results'), '{"tier":"unit","path":"a","passed":7,"failed":0,"seconds":1}\n');
    expect(summedUp('1')).toEqual({ lines: ['7 passed, 1 failed'], code: 1 });
  });

  it('keeps the seconds of all files where all passed', () => {
    const results = [
      ['unit', 'a', 2],
      ['unit', 'b', 5],
      ['e2e', 'c', 30],
      ['unit', 'b', 4],
    ].map(([tier, path, seconds]) => JSON.stringify({ tier, path, passed: 1, failed: 0, seconds }));
    writeFileSync(join(folder, 'results'), `${results.join('\n')}\n`);
    const kept = join(folder, 'test/seconds.json');
    writeFileSync(kept, '{}');
    summedUp('1');
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({});
    summedUp('0');
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({ 'e2e c': 30, 'unit a': 2, 'unit b': 5 });
  });
});
