import './young-rows.js';
import 'reflect-metadata';
import { run } from './run.js';
import { requireDatabase, startService } from './service.js';

// The worker alone: deliveries, and read models from the feed.
await run(async (config, signal) => {
  const service = await startService(
    config,
    requireDatabase(config),
    { api: false, worker: true },
    { signal },
  );
  service.log.info('worker runs');
  return { stop: () => service.close() };
});
