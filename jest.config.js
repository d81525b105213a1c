import { spawnSync } from 'node:child_process';

const ROOT = import.meta.dirname;

// Its workers have it, too: runs at the same time take different ports.
process.env.PARLEY_TEST_RUN ??= String(process.pid);

const shared = {
  rootDir: ROOT,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^#([^/]+)/(.*)\\.js$': '<rootDir>/libs/$1/$2.ts',
    // Its ES modules import JSON as Node 20 does, of which Jest warns each time.
    '^libphonenumber-js/max$': '<rootDir>/node_modules/libphonenumber-js/max/index.cjs',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  setupFiles: ['reflect-metadata'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
      },
    ],
  },
};

const SPECS = ['\\.spec\\.ts$'];
/** What needs PostgreSQL in src and libs. */
const ON_POSTGRES = [
  'libs/(event-store|database|embedded-postgres|batching|jobs)/.+\\.spec\\.ts$',
  '\\.integration\\.spec\\.ts$',
];
/** What must hold with the queue on Redis, too. */
const REPEATED_ON_REDIS = ['test/e2e/(delivery|story|webhooks|queues)\\.spec\\.ts$'];

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

const setup = (name) => ({
  globalSetup: `<rootDir>/test/support/jest/${name}-setup.mjs`,
  globalTeardown: `<rootDir>/test/support/jest/${name}-teardown.mjs`,
});

/** Specs of the compiled product. Jest makes a setup once, however many projects name it. */
const onProduct = (tier) => ({
  ...shared,
  ...setup('e2e'),
  displayName: tier,
  roots: [`<rootDir>/test/${tier}`],
  testRegex: SPECS,
});

/** The tiers; test/README.md tells what each is for. Jest makes the setup of those alone that it runs. */
export const TIERS = [
  {
    ...shared,
    displayName: 'unit',
    roots: ['<rootDir>/src', '<rootDir>/libs', '<rootDir>/test/unit'],
    testRegex: SPECS,
    testPathIgnorePatterns: ON_POSTGRES,
  },
  {
    ...shared,
    ...setup('integration'),
    displayName: 'integration',
    roots: ['<rootDir>/src', '<rootDir>/libs'],
    testRegex: ON_POSTGRES,
  },
  onProduct('e2e'),
  onProduct('process'),
  onProduct('browser'),
  onProduct('fuzz'),
  onProduct('faults'),
  {
    ...shared,
    ...setup('redis'),
    displayName: 'redis',
    roots: ['<rootDir>/test/redis', '<rootDir>/test/e2e'],
    testRegex: ['test/redis/.+\\.spec\\.ts$', ...REPEATED_ON_REDIS],
    setupFiles: [...shared.setupFiles, '<rootDir>/test/support/jest/redis-env.mjs'],
  },
];

export default {
  coverageProvider: 'v8',
  collectCoverageFrom: ['{src,libs}/**/*.ts', '!**/*.spec.ts', '!**/*.d.ts', '!libs/build/**'],
  // Much of a test is waiting: for retries, for what a read model follows, for a process to start.
  maxWorkers: 3,
  // Modules of earlier files stay in memory, and make a worker slow to collect garbage and to end.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  // For what waits in vain: a busy machine may take ten times as long as an idle one.
  testTimeout: 180_000,
  reporters: [
    'default',
    '<rootDir>/test/support/jest/results-reporter.js',
    [
      '<rootDir>/test/support/jest/skips-reporter.js',
      { missing: hasRedis ? [] : ['redis-server: all tests of the queue on Redis'] },
    ],
  ],
  projects: TIERS.filter(({ displayName }) => displayName !== 'redis' || hasRedis),
};
