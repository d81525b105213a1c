import 'reflect-metadata';
import { startEmbeddedPostgres } from '#database/embedded-postgres.js';
import { run } from './run.js';
import { startService } from './service.js';

// One process: API, worker and, without DATABASE_URL, the embedded PostgreSQL.
await run(async (config) => {
  const embedded =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir }) : null;
  try {
    const databaseUrl = embedded?.url ?? config.databaseUrl!;
    const service = await startService(config, databaseUrl, { api: true, worker: true });
    console.log(`Parley listens on ${service.url}`);
    return {
      async stop() {
        await service.close();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
});
