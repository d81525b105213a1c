// Says how a run of CI ended, from the results of its files at PARLEY_CI_RESULTS. On the command line: whether all steps went well (0) or not.
// Keeps the seconds of the files of a run that passed in test/seconds.json, from which the next one takes its order.
// The last line is `N passed, N failed`, and the exit code 0 only when all of it passed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const text = existsSync(process.env.PARLEY_CI_RESULTS)
  ? readFileSync(process.env.PARLEY_CI_RESULTS, 'utf8')
  : '';
const files = text
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const sum = (counts) => counts.reduce((all, one) => all + one, 0);
const passed = sum(files.map((file) => file.passed));
// What fails outside the tests (a package, a check, the build, a tear-down) is one failure, and so is a run without tests.
const isWhole = process.argv[2] === '0' && passed > 0;
const failed = sum(files.map((file) => file.failed)) || (isWhole ? 0 : 1);
if (isWhole && failed === 0) keepSeconds();
// The last lines are what is kept of a run: they name what failed, at least at first.
const lines = files.flatMap(({ tier, path, failed, titles = [] }) =>
  titles.map((title) => `${failed > 0 ? 'failed' : 'passed on the second try'}: ${path} (${tier}): ${title}`),
);
for (const line of lines.sort()) console.log(line);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function keepSeconds() {
  const longest = {};
  for (const { tier, path, seconds } of files) {
    const name = `${tier} ${path}`;
    longest[name] = Math.max(seconds, longest[name] ?? 0);
  }
  const sorted = Object.fromEntries(Object.entries(longest).sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync('test/seconds.json', `${JSON.stringify(sorted, null, 2)}\n`);
}
