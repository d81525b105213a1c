import { spawnSync } from 'node:child_process';

const ROOT = import.meta.dirname;

// Its workers have it, too: runs at the same time take different ports.
process.env.PARLEY_TEST_RUN ??= String(process.pid);

/** What needs PostgreSQL; every other spec of src and libs is a unit. So no spec is left out. */
const INTEGRATION = [
  'libs/(event-store|database|embedded-postgres|batching|jobs)/.+\\.spec\\.ts$',
  '\\.integration\\.spec\\.ts$',
];

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

/** What must hold with the queue on Redis, too. */
const ON_REDIS = ['test/redis/.+\\.spec\\.ts$', 'test/e2e/(delivery|story|webhooks|queues)\\.spec\\.ts$'];

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

const redis = {
  ...shared,
  displayName: 'redis',
  globalSetup: '<rootDir>/test/support/jest/redis-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/redis-teardown.mjs',
  roots: ['<rootDir>/test'],
  testRegex: ON_REDIS,
  setupFiles: [...shared.setupFiles, '<rootDir>/test/support/jest/redis-env.mjs'],
};

// Jest runs the setup of a project only when tests of that project run.
export default {
  maxWorkers: 2,
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  // For what waits in vain: a busy machine may take ten times as long as an idle one.
  testTimeout: 180_000,
  reporters: [
    'default',
    '<rootDir>/test/support/jest/counts-reporter.js',
    [
      '<rootDir>/test/support/jest/skips-reporter.js',
      { missing: hasRedis ? [] : ['redis-server: all tests of the queue on Redis'] },
    ],
  ],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: ['<rootDir>/src', '<rootDir>/libs'],
      testRegex: ['\\.spec\\.ts$'],
      testPathIgnorePatterns: INTEGRATION,
    },
    {
      ...shared,
      displayName: 'integration',
      globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
      globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
      roots: ['<rootDir>/src', '<rootDir>/libs'],
      testRegex: INTEGRATION,
    },
    {
      ...shared,
      globalSetup: '<rootDir>/test/support/jest/e2e-setup.mjs',
      globalTeardown: '<rootDir>/test/support/jest/e2e-teardown.mjs',
      displayName: 'e2e',
      roots: ['<rootDir>/test'],
      testRegex: ['\\.spec\\.ts$'],
      testPathIgnorePatterns: ['<rootDir>/test/redis/'],
    },
    ...(hasRedis ? [redis] : []),
  ],
};
