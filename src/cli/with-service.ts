import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { destination } from 'pino';
import { type Config, readConfig } from '../config/config.js';
import type { Roles } from '#config/roles.js';
import type { Database } from '#database/database.js';
import { runningEmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { openLog } from '../process/log.js';
import { openSchema } from '../process/open-database.js';
import { type Service, startService } from '../process/start-service.js';
import { Directory } from '../workspace/workspace.contract.js';

// Opens what commands work on, for as long as they run.

/** Runs `work` on the database: at DATABASE_URL, the running embedded one, or one started for this purpose. */
export async function withUrl(
  config: Config,
  work: (url: string, config: Config) => Promise<void>,
): Promise<void> {
  const running = config.databaseUrl ?? (await runningEmbeddedPostgres(config.dataDir));
  if (running !== null) return work(running, config);
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir });
  try {
    await work(embedded.url, config);
  } finally {
    await embedded.stop();
  }
}

/** A command's configuration: it logs less than a service. */
export const commandConfig = (): Config => readConfig({ LOG_LEVEL: 'warn', ...process.env });

/** Throws where there is neither DATABASE_URL nor an embedded database in the data directory. */
export function requireDatabaseFiles(): void {
  const { databaseUrl, dataDir } = commandConfig();
  if (databaseUrl === null && !existsSync(join(dataDir, 'postgres')))
    throw new Error(`There is no database in ${resolve(dataDir)}. Set PARLEY_DATA_DIR or DATABASE_URL.`);
}

/** `guard`: whether to refuse events of another cluster. */
export const withDatabase = (work: (database: Database) => Promise<void>, guard = true): Promise<void> =>
  withUrl(commandConfig(), async (url, config) => {
    const database = await openSchema(config, url, { guard });
    try {
      await work(database);
    } finally {
      await database.close();
    }
  });

const withRoles = (
  given: Config,
  roles: Roles,
  work: (service: Service, config: Config) => Promise<void>,
): Promise<void> =>
  withUrl(given, async (url, config) => {
    // Logs go to stderr, since programs read what a command prints.
    const log = openLog(config.logLevel, destination(process.stderr.fd));
    const service = await startService(config, url, roles, { log });
    try {
      await work(service, config);
    } finally {
      await service.close();
    }
  });

export const withService = (work: (service: Service, config: Config) => Promise<void>): Promise<void> =>
  withRoles(commandConfig(), { api: false, worker: false }, work);

const OWN_HOST = '127.0.0.1';

/** Runs `work` with the URL of its own API on a free local port, where only `adminKey` opens the operators' surface. */
export function withApi(adminKey: string, work: (url: string) => Promise<void>): Promise<void> {
  const config = commandConfig();
  // URLs in answers must name the service's address, not this one.
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const own = { adminKey, publicUrl, host: OWN_HOST, port: 0, inboundSmtpPort: null, drainMs: 0 };
  return withRoles({ ...config, ...own }, { api: true, worker: false }, ({ url }) =>
    // `localhost` may mean another address, where somebody else has this port.
    work(url!.replace('localhost', OWN_HOST)),
  );
}

/** Runs `work` for an existing organization. */
export const withOrganization = (
  organizationId: string,
  work: (service: Service) => Promise<void>,
): Promise<void> =>
  withService(async (service) => {
    if (!(await service.app.get(Directory).organization(organizationId)))
      throw new Error(`There is no organization ${organizationId}.`);
    await work(service);
  });

const STDIN = 0;

/** The JSON in a file, or on stdin if the file is `-`. Throws naming the option. */
export function readJson(option: string, file: string): unknown {
  const text = readFileSync(file === '-' ? STDIN : file, 'utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${option}: ${file} holds no JSON: ${(error as Error).message}`, { cause: error });
  }
}

export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));
