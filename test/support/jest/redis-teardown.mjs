/** Stops what the tests on Redis have shared. */
export default async function redisTeardown() {
  const { removeDataDir } = await import('../server/data-dir.ts');
  const { removeTemplate } = await import('../server/template.ts');
  const server = globalThis.parleyOnRedis;
  await server?.stop();
  if (server) removeDataDir(server.dataDir);
  removeTemplate();
  await globalThis.parleyRedis?.close();
}
