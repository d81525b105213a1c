import { until } from '../until.js';
import { cli } from './cli.js';

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

async function run(dataDir: string): Promise<string> {
  const { code, stdout, stderr } = await cli(['verify'], { env: { PARLEY_DATA_DIR: dataDir } });
  const output = stdout + stderr;
  if (code !== 0 && !/already/.test(stderr)) throw new Error(`verify ended with ${code}\n${output}`);
  return output;
}
