const NEED = /\[needs ([^\]]+)\]/;

/** Says at the end of a run what was skipped and what it needs. */
export default class SkipsReporter {
  /** `missing`: what whole projects need that are left out. */
  constructor(_config, { missing }) {
    this.lines = missing;
  }

  onRunComplete(_contexts, results) {
    const skipped = new Map();
    for (const { fullName, status } of results.testResults.flatMap(({ testResults }) => testResults)) {
      if (status !== 'pending') continue;
      const need = NEED.exec(fullName)?.[1] ?? 'nothing: it is switched off';
      skipped.set(need, (skipped.get(need) ?? 0) + 1);
    }
    const lines = [...this.lines, ...[...skipped].map(([need, count]) => `${need}: ${count}`)];
    if (lines.length > 0)
      process.stderr.write(
        `Skipped tests, by what they need:\n${lines.map((line) => `  ${line}\n`).join('')}`,
      );
  }
}
