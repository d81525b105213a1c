/** Stops what the global setup has started. */
export default async function globalTeardown() {
  const { stopTestServer } = await import('../database/test-server.ts');
  await stopTestServer();
}
