// Jest loads this file with Node's own `import`; see integration-setup.mjs.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);

/** Starts the server that the end-to-end tests share and tells them of it by PARLEY_TEST_URL and PARLEY_TEST_DATA_DIR. */
export default async function e2eSetup() {
  const { startServer } = await import('../server/server.ts');
  const { makeTemplate } = await import('../server/template.ts');
  await makeTemplate();
  const server = await startServer();
  globalThis.parleyServer = server;
  process.env.PARLEY_TEST_URL = server.url;
  process.env.PARLEY_TEST_DATA_DIR = server.dataDir;
}
