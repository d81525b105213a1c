// Jest loads this file with Node's own `import`, so it is JavaScript and brings the means to load the rest.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);

/** Starts the PostgreSQL server of this run and tells the tests of it by PARLEY_TEST_POSTGRES. */
export default async function globalSetup() {
  const { startTestServer } = await import('../database/test-server.ts');
  await startTestServer();
}
