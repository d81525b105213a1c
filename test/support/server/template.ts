import { cli } from './cli.js';
import { newDataDir, removeDataDir, removeLeftovers } from './data-dir.js';
import { dropGivenDatabases } from './given-database.js';

/** Has the product make a data directory once, for all servers of the run; see `readyDataDir`. */
export async function makeTemplate(): Promise<void> {
  if (process.env['PARLEY_TEST_TEMPLATE_DIR'] !== undefined) return;
  removeLeftovers();
  // A given server has a template of its own.
  if (process.env['PARLEY_TEST_DATABASE'] !== undefined) return;
  const dataDir = newDataDir();
  // A start that finds an organization makes no demo: what reads all that there is (`verify`, figures) has less to read.
  // Read models are rebuilt here, where migrations ask for that, and not at each start, beside what the tests do.
  for (const args of [['migrate'], ['create', 'organization', 'Of the template']]) {
    const { code, stderr } = await cli(args, { env: { PARLEY_DATA_DIR: dataDir } });
    if (code !== 0) throw new Error(stderr);
  }
  process.env['PARLEY_TEST_TEMPLATE_DIR'] = dataDir;
}

export function removeTemplate(): void {
  dropGivenDatabases();
  const dataDir = process.env['PARLEY_TEST_TEMPLATE_DIR'];
  if (dataDir === undefined) return;
  delete process.env['PARLEY_TEST_TEMPLATE_DIR'];
  removeDataDir(dataDir);
}
