import { appendFileSync } from 'node:fs';

/** Adds the counts of a run, a line `N passed, N failed`, to the file that PARLEY_TEST_COUNTS names. */
export default class CountsReporter {
  onRunComplete(_contexts, results) {
    const file = process.env.PARLEY_TEST_COUNTS;
    // A file that could not even be loaded has no tests to count and is one failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    if (file) appendFileSync(file, `${results.numPassedTests} passed, ${failed} failed\n`);
  }
}
