// Runs tiers of the tests: `node .ci/jest.mjs <configuration of Jest> <tier> …`. A file that fails runs once more, alone, and counts as
// passed when it passes then. Of all runs that share PARLEY_CI_RESULTS two files may do so: with a third one nothing is repeated.
// Adds a line of JSON for each file to what that names: its tier and path, what passed and failed, the titles that failed at first, and whether it took
// a second try.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

const MAY_REPEAT = 2;

const [config, ...tiers] = process.argv.slice(2);
const collected = process.env.PARLEY_CI_RESULTS;

let { status, files } = run('--selectProjects', ...tiers);
const failed = files.filter((file) => file.failed > 0);
const repeated = resultsIn(collected).filter(({ secondTry }) => secondTry).length;
if (failed.length > 0 && repeated + failed.length <= MAY_REPEAT) {
  status = 0;
  for (const first of failed) {
    console.log(`Once more, alone: ${first.path} (${first.tier})`);
    const again = run('--selectProjects', first.tier, '--runInBand', '--runTestsByPath', first.path);
    status ||= again.status;
    // Where it broke off, the first result stands.
    Object.assign(first, again.files[0], { secondTry: true, titles: first.titles });
  }
}
for (const { path, ...file } of files)
  appendFileSync(
    collected,
    `${JSON.stringify({ ...file, path: relative(dirname(resolve(config)), path) })}\n`,
  );
process.exit(status);

function run(...args) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-ci-'));
  const PARLEY_TEST_RESULTS = join(folder, 'results');
  const { status } = spawnSync('npm', ['run', '--silent', 'jest', '--', '--config', config, ...args], {
    stdio: 'inherit',
    env: { ...process.env, PARLEY_TEST_RESULTS },
  });
  const files = resultsIn(PARLEY_TEST_RESULTS);
  rmSync(folder, { recursive: true });
  return { status: status ?? 1, files };
}

function resultsIn(path) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
