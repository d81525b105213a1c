import { newDataDir, removeDataDir, removeLeftovers } from './data-dir.js';
import { dropGivenDatabases } from './given-database.js';
import { startServer } from './server.js';
import { until } from '../until.js';

/** Has the product make a data directory once, for all servers of the run; see `readyDataDir`. */
export async function makeTemplate(): Promise<void> {
  if (process.env['PARLEY_TEST_TEMPLATE_DIR'] !== undefined) return;
  removeLeftovers();
  // A given server has a template of its own, without a demo.
  if (process.env['PARLEY_TEST_DATABASE'] !== undefined) return;
  const dataDir = newDataDir();
  const server = await startServer({ dataDir });
  await until(() => server.ended() !== null || server.output().includes('Parley is ready.'));
  await server.stop();
  process.env['PARLEY_TEST_TEMPLATE_DIR'] = dataDir;
}

export function removeTemplate(): void {
  dropGivenDatabases();
  const dataDir = process.env['PARLEY_TEST_TEMPLATE_DIR'];
  if (dataDir === undefined) return;
  delete process.env['PARLEY_TEST_TEMPLATE_DIR'];
  removeDataDir(dataDir);
}
