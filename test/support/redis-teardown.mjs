/** Stops what the tests on Redis have shared. */
export default async function redisTeardown() {
  const { removeDataDir } = await import('./server.ts');
  const server = globalThis.parleyOnRedis;
  await server?.stop();
  if (server) removeDataDir(server.dataDir);
  await globalThis.parleyRedis?.close();
}
