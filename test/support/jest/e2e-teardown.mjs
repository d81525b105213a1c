/** Stops the server that the end-to-end tests have shared, and prints what it has logged as errors. */
export default async function e2eTeardown() {
  const { removeDataDir } = await import('../server/data-dir.ts');
  const { removeTemplate } = await import('../server/template.ts');
  const server = globalThis.parleyServer;
  await server?.stop();
  if (server) {
    for (const line of server.output().match(/^\{.*"level":.*$/gm) ?? []) console.error(line);
    removeDataDir(server.dataDir);
  }
  removeTemplate();
}
