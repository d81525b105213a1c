import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { until } from '../until.js';

/**
 * Runs the command line's `verify` on a data directory, which a server may be using; gives what it prints. Throws when
 * a row is not what the events say.
 */
export async function verify(dataDir: string): Promise<string> {
  let output = '';
  // One at a time may verify a database; other tests do it too.
  await until(async () => !/already/.test((output = await run(dataDir))));
  return output;
}

function run(dataDir: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['dist/src/cli.js', 'verify'],
      {
        cwd: join(import.meta.dirname, '../../..'),
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PARLEY_DATA_DIR: dataDir },
        maxBuffer: 64 * 1024 * 1024,
      },
      (error, stdout, stderr) => {
        const output = stdout + stderr;
        if (error && !/already/.test(stderr)) reject(new Error(`verify: ${error.message}\n${output}`));
        else resolve(output);
      },
    );
  });
}
