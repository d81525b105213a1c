import './young-rows.js';
import 'reflect-metadata';
import { run } from './run.js';
import { requireDatabase, startService } from './service.js';

// The worker alone: deliveries, and read models from the feed.
await run(async (config) => {
  const service = await startService(config, requireDatabase(config), { api: false, worker: true });
  service.log.info('worker runs');
  return { stop: () => service.close() };
});
