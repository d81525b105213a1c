import { newDataDir, removeDataDir, removeLeftovers } from './data-dir.js';
import { startServer } from './server.js';
import { until } from '../until.js';

/** Has the product make a data directory once, for all servers of the run; see `readyDataDir`. */
export async function makeTemplate(): Promise<void> {
  if (process.env['PARLEY_TEST_TEMPLATE_DIR'] !== undefined) return;
  removeLeftovers();
  const dataDir = newDataDir();
  const server = await startServer({ dataDir });
  await until(() => server.ended() !== null || server.output().includes('Parley is ready.'));
  await server.stop();
  process.env['PARLEY_TEST_TEMPLATE_DIR'] = dataDir;
}

export function removeTemplate(): void {
  const dataDir = process.env['PARLEY_TEST_TEMPLATE_DIR'];
  if (dataDir === undefined) return;
  delete process.env['PARLEY_TEST_TEMPLATE_DIR'];
  removeDataDir(dataDir);
}
