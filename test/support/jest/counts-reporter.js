import { appendFileSync } from 'node:fs';

/**
 * Prints what each tier has run, and adds the counts of the run, a line `N passed, N failed`, to the file that
 * PARLEY_TEST_COUNTS names.
 */
export default class CountsReporter {
  onRunComplete(_contexts, results) {
    process.stderr.write(tableOf(results.testResults));
    const file = process.env.PARLEY_TEST_COUNTS;
    // A file that could not even be loaded has no tests to count and is one failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    if (file) appendFileSync(file, `${results.numPassedTests} passed, ${failed} failed\n`);
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
