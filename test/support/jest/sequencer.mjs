/** The files that take longest, and the first to start, so that none of them is still running alone at the end. */
const LONGEST = [
  'test/process/plans',
  'test/process/command-line',
  'test/faults/backup',
  'test/faults/rolling-restart',
  'test/faults/rebuild',
  'test/faults/delivery',
  'test/faults/crash',
  'test/e2e/delivery',
  'test/process/guide',
  'test/browser/console-operations',
  'test/browser/console-set-up',
  'test/process/event-stream',
  'test/process/tags-race',
  'test/process/comment-races',
  'test/fuzz/api',
  'test/process/import',
  'test/process/import-order',
  'test/e2e/text-delivery',
  'test/process/review-notices',
  'test/e2e/events',
  'test/e2e/story',
  'libs/embedded-postgres/postgres',
  'src/analytics/projections/analytics.integration',
];

/** Jest's own order is that of the last run's times, of which a clean clone has none. */
export default class Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = LONGEST.findIndex((name) => path.endsWith(`/${name}.spec.ts`));
      return place === -1 ? LONGEST.length : place;
    };
    const size = ({ context, path }) => context.hasteFS.getSize(path) ?? 0;
    return [...tests].sort((one, other) => rank(one) - rank(other) || size(other) - size(one));
  }

  allFailedTests(tests) {
    return tests;
  }

  shard(tests) {
    return tests;
  }

  cacheResults() {}
}
