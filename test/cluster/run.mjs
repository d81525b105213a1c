// Runs the end-to-end tests on a given PostgreSQL server: a plain one, one behind a pooler, or the coordinator of a Citus cluster.
// Each server of the tests gets a database of its own there, in place of the embedded one.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LEFT_OUT } from './left-out.mjs';

const ROOT = join(import.meta.dirname, '../..');
/** The tiers whose servers get a database there. */
const OF_SERVERS = ['e2e', 'process'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    database: { type: 'string' },
    direct: { type: 'string' },
    tier: { type: 'string', default: 'e2e' },
    workers: { type: 'string', default: '2' },
  },
});

if (values.database === undefined) {
  console.log('Skipped: no server is given. Run: npm run test:cluster -- --database postgres://…');
  process.exit(0);
}

const isE2e = values.tier === 'e2e';
const specs = OF_SERVERS.flatMap((tier) =>
  readdirSync(join(ROOT, 'test', tier))
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => ({ name, path: join(ROOT, 'test', tier, name) })),
);
const unknown = Object.keys(LEFT_OUT).filter((left) => !specs.some(({ name }) => name === left));
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')} to leave out`);
const all = specs.filter(({ name }) => !(name in LEFT_OUT)).map(({ path }) => path);
const chosen = positionals.length > 0 || !isE2e ? positionals : ['--runTestsByPath', ...all];

const given = isE2e
  ? { PARLEY_TEST_DATABASE: values.database, PARLEY_TEST_DATABASE_DIRECT: values.direct }
  : { PARLEY_TEST_POSTGRES: values.database };
const jest = spawn(
  'npm',
  [
    ...['run', '--silent', 'jest', '--', '--maxWorkers', values.workers],
    ...['--selectProjects', ...(isE2e ? OF_SERVERS : [values.tier]), '--config', 'jest.config.js', ...chosen],
  ],
  { cwd: ROOT, env: { ...process.env, ...given }, stdio: 'inherit' },
);
jest.once('exit', (code) => {
  if (isE2e && positionals.length === 0)
    for (const [name, reason] of Object.entries(LEFT_OUT)) console.log(`left out: ${name}: ${reason}`);
  process.exitCode = code ?? 1;
});
