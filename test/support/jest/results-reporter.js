import { appendFileSync } from 'node:fs';

/**
 * Prints what each tier has run, and adds a line of JSON for each file to the one that PARLEY_TEST_RESULTS names: tier, path, what passed,
 * what failed, the titles of that, and its seconds.
 */
export default class ResultsReporter {
  files = [];

  onTestFileResult(
    { path, context },
    { numPassingTests, numFailingTests, testExecError, perfStats, testResults },
  ) {
    this.files.push({
      tier: context.config.displayName.name,
      path,
      passed: numPassingTests,
      // A file that could not even be loaded has no tests to count and is one failure.
      failed: numFailingTests || (testExecError ? 1 : 0),
      titles: testExecError
        ? ['could not be run']
        : testResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
      seconds: Math.round(perfStats.runtime / 1000),
    });
  }

  onRunComplete() {
    process.stderr.write(tableOf(this.files));
    const results = process.env.PARLEY_TEST_RESULTS;
    if (results) appendFileSync(results, this.files.map((file) => `${JSON.stringify(file)}\n`).join(''));
  }
}

/** Seconds are those of the files one after the other; three workers take about a third of that. */
function tableOf(files) {
  const tiers = new Map();
  for (const { tier, passed, seconds } of files) {
    const sum = tiers.get(tier) ?? { files: 0, passed: 0, seconds: 0 };
    tiers.set(tier, { files: sum.files + 1, passed: sum.passed + passed, seconds: sum.seconds + seconds });
  }
  const rows = [...tiers].map(([name, { files, passed, seconds }]) => [name, files, passed, seconds]);
  const lines = [['tier', 'files', 'passed', 'seconds'], ...rows].map(([name, ...cells]) =>
    [name.padEnd(12), ...cells.map((cell) => String(cell).padStart(8))].join(''),
  );
  return `${lines.join('\n')}\n`;
}
