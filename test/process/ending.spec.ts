import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { databaseUrl, freePort, isReady } from '../support/server/server.js';
import { signal } from '../support/server/signals.js';
import { until } from '../support/until.js';

/** `npm run start:api` in a process group of its own, as from a terminal, once it is ready. */
async function startedByNpm(drainMs: string): Promise<ChildProcess & { pid: number }> {
  const port = String(await freePort());
  const npm = spawn('npm', ['run', 'start:api'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: port, HOST: '127.0.0.1' },
      DATABASE_URL: await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!),
      PARLEY_SECRET_KEY: 'a'.repeat(64),
      DRAIN_MS: drainMs,
    },
  });
  await until(async () => npm.exitCode !== null || (await isReady(`http://127.0.0.1:${port}`)));
  expect(npm.exitCode).toBeNull();
  return npm as ChildProcess & { pid: number };
}

describe('a process that npm started', () => {
  it.each([
    ['npm alone is told to end', (pid: number) => signal(pid, 'SIGTERM')],
    ['a terminal tells npm and the process at once (Ctrl-C)', (pid: number) => signal(-pid, 'SIGINT')],
  ])('ends in order before npm does, when %s', async (_, tell) => {
    const npm = await startedByNpm('100');
    tell(npm.pid);
    expect(await once(npm, 'exit')).toEqual([0, null]);
    expect(signal(-npm.pid, 0)).toBe(false);
  });

  it('ends at once when it is told again', async () => {
    const npm = await startedByNpm('15000');
    const exit = once(npm, 'exit');
    const service = Number(execFileSync('pgrep', ['-P', String(npm.pid)], { encoding: 'utf8' }));
    await until(() => !signal(service, 'SIGINT'));
    expect(await exit).toEqual([1, null]);
  });
});
