import { ConfigurationError } from '../config/config.js';
import type { Roles } from '#config/roles.js';
import { run } from './run-until-signal.js';
import { type Service, startService } from './start-service.js';

/**
 * Runs half of the product as a separate process, on the database at DATABASE_URL: only the single process starts one
 * itself. Logs `greeting` when it is ready.
 */
export const runHalf = (roles: Roles, greeting: (service: Service) => string): Promise<void> =>
  run(async (config, signal) => {
    if (config.databaseUrl === null)
      throw new ConfigurationError(
        'DATABASE_URL: must be set for separate processes; `npm start` brings a database along',
      );
    const service = await startService(config, config.databaseUrl, roles, { signal });
    service.log.info(greeting(service));
    return service;
  });
