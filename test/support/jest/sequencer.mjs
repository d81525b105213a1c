import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Seconds that files took in the last full run (`.ci/run`), by tier and path. */
const SECONDS = JSON.parse(readFileSync(new URL('../../seconds.json', import.meta.url), 'utf8'));

/** Starts with the files that take longest, so that none of them is still running alone at the end; with new ones before all. */
export default class Sequencer {
  sort(tests) {
    const seconds = ({ context: { config }, path }) =>
      SECONDS[`${config.displayName.name} ${relative(config.rootDir, path)}`] ?? Number.MAX_SAFE_INTEGER;
    const size = ({ context, path }) => context.hasteFS.getSize(path) ?? 0;
    return [...tests].sort((one, other) => seconds(other) - seconds(one) || size(other) - size(one));
  }

  allFailedTests(tests) {
    return tests;
  }

  shard(tests) {
    return tests;
  }

  cacheResults() {}
}
