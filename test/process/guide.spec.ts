import { openApi } from '../support/clients/client.js';
import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownVariables } from '../../src/config/config.js';

import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  'libs/client/README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** For all blocks of a page. */
const LIMIT_MS = 600_000;

const page = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The shell blocks of a page that are not marked `<!-- not run: reason -->`. */
const blocksOf = (path: string): string[] =>
  [...page(path).matchAll(/(<!-- not run: .+ -->\n+)?```sh\n([^]*?)```/g)]
    .filter(([, mark]) => mark === undefined)
    .map(([, , block]) => block!);

let server: Server;
let dir: string;

beforeAll(async () => {
  server = await startServer({ dataDir: newDataDir() });
  await until(() => existsSync(join(server.dataDir, 'demo.env')));
  // A demo that was given no key makes one and keeps it there.
  writeFileSync(join(server.dataDir, 'admin.key'), server.adminKey);
  dir = mkdtempSync(join(tmpdir(), 'parley-guide-'));
  symlinkSync(server.dataDir, join(dir, '.data'));
  mkdirSync(join(dir, 'tmp'));
});

afterAll(async () => {
  await server.stop();
  removeDataDir(server.dataDir);
  rmSync(dir, { recursive: true, force: true });
});

/** Runs a page's blocks one after the other in one shell, beside the server of this test; the first failure ends it. */
function run(blocks: string[], shell = 'bash'): Promise<{ code: number; output: string }> {
  const script = ['set -eo pipefail', 'curl() { command curl --fail-with-body "$@"; }', ...blocks]
    .join('\n')
    .replaceAll('/tmp/', `${join(dir, 'tmp')}/`)
    .replaceAll('http://localhost:3000', server.url)
    .replaceAll('npm run parley --', `node ${join(ROOT, 'dist/bin/cli.js')}`);
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: new URL(server.url).port };
  return new Promise((resolve) =>
    execFile(shell, ['-c', script], { cwd: dir, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      // One that a signal ends has no code.
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    ),
  );
}

/** Where there is no zsh, bash alone. */
const SHELLS = ['bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);

describe('the guide', () => {
  it.each(PAGES.filter((path) => path !== 'README.md' && blocksOf(path).length > 0))(
    'says in %s only what works',
    async (path) => {
      const { code, output } = await run(blocksOf(path));
      if (code !== 0) throw new Error(`${path}: ${output}`);
    },
    // Some start the command line several times.
    LIMIT_MS,
  );

  it('begins with a page of at most 125 lines', () => {
    expect(page('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(125);
  });

  it('can be pasted into zsh, to which # is no comment and an apostrophe there opens a text', () => {
    const blocks = [...page('README.md').matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block!);
    expect(blocks.length).toBeGreaterThan(2);
    expect(blocks.filter((block) => /(^|\s)#/m.test(block))).toEqual([]);
    for (const shell of SHELLS)
      for (const block of blocks)
        expect([block, spawnSync(shell, ['-n'], { input: block }).status]).toEqual([block, 0]);
  });

  it.each(SHELLS)('prints the answers of the README for people, in %s', async (shell) => {
    const { code, output } = await run(blocksOf('README.md'), shell);
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    expect(output).toContain('  "message_direction": "received",\n');
  });

  it('names each variable of the configuration, and no other', () => {
    const named = [...page('docs/configure.md').matchAll(/^\| `([A-Z0-9_]+)` /gm)].map(([, name]) => name!);
    expect(named.sort()).toEqual([...knownVariables()].sort());
  });

  it('lists each public event as the OpenAPI document describes it', async () => {
    const { schemas } = (await openApi()).components;
    const described = Object.entries<{ description: string }>(schemas.Event.discriminator.mapping)
      .map(([type]) => `${type}: ${schemas[`${type}Event`].description}`)
      .sort();
    const listed = [...page('docs/events.md').matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm)].map(
      ([, type, meaning]) => `${type}: ${meaning!.replaceAll('\\|', '|')}`,
    );
    expect(listed.sort()).toEqual(described);
  });

  it('leads to pages that are there', () => {
    for (const path of PAGES)
      for (const [, target] of page(path).matchAll(/\]\((?!https?:)([^)#]+)/g))
        expect([path, target, existsSync(join(ROOT, path, '..', target!))]).toEqual([path, target, true]);
  });
});
