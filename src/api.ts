import './young-rows.js';
import 'reflect-metadata';
import { run } from './run.js';
import { requireDatabase, startService } from './service.js';

// The API alone, beside any number of others and of workers, on the database at DATABASE_URL.
await run(async (config, signal) => {
  const service = await startService(
    config,
    requireDatabase(config),
    { api: true, worker: false },
    { signal },
  );
  service.log.info(`API listens on ${service.url}`);
  return { stop: () => service.close() };
});
