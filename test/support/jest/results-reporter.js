import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Prints what each tier has run, and adds a line of JSON for each file to the one that PARLEY_TEST_RESULTS names: tier, path, what passed,
 * what failed, and its seconds.
 */
export default class ResultsReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    process.stderr.write(tableOf(testResults));
    const path = process.env.PARLEY_TEST_RESULTS;
    if (!path) return;
    for (const file of testResults) appendFileSync(path, `${JSON.stringify(this.resultOf(file))}\n`);
  }

  resultOf({ displayName, testFilePath, numPassingTests, numFailingTests, testExecError, perfStats }) {
    return {
      tier: displayName.name,
      path: relative(this.rootDir, testFilePath),
      passed: numPassingTests,
      // A file that could not even be loaded has no tests to count and is one failure.
      failed: numFailingTests || (testExecError ? 1 : 0),
      seconds: Math.round(perfStats.runtime / 1000),
    };
  }
}

/** Seconds are those of the files one after the other; two workers take about half of that. */
function tableOf(files) {
  const tiers = new Map();
  for (const { displayName, numPassingTests, perfStats } of files) {
    const tier = tiers.get(displayName.name) ?? { files: 0, tests: 0, ms: 0 };
    tier.files++;
    tier.tests += numPassingTests;
    tier.ms += perfStats.runtime;
    tiers.set(displayName.name, tier);
  }
  const rows = [...tiers].map(([name, { files, tests, ms }]) => [name, files, tests, Math.round(ms / 1000)]);
  const lines = [['tier', 'files', 'passed', 'seconds'], ...rows].map(([name, ...cells]) =>
    [name.padEnd(12), ...cells.map((cell) => String(cell).padStart(8))].join(''),
  );
  return `${lines.join('\n')}\n`;
}
