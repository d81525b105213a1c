import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { type Config, readConfig } from '#config/config.js';
import type { Roles } from '#config/roles.js';
import type { Database } from '#database/database.js';
import { runningEmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded-postgres.js';
import { openSchema, type Service, startService } from './service.js';
import { Directory } from './workspace/workspace.contract.js';

// What the commands work on, opened for as long as they run.

/** Runs `work` on the database: the one at DATABASE_URL, the running embedded one, or one started for the while. */
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

/** The configuration of a command, which logs less than a service. */
export const commandConfig = (): Config => readConfig({ LOG_LEVEL: 'warn', ...process.env });

/** Throws where there is neither DATABASE_URL nor an embedded database in the data directory. */
export function requireDatabaseFiles(): void {
  const { databaseUrl, dataDir } = commandConfig();
  if (databaseUrl === null && !existsSync(join(dataDir, 'postgres')))
    throw new Error(`There is no database in ${resolve(dataDir)}. Set PARLEY_DATA_DIR or DATABASE_URL.`);
}

/** `guard`: refuse events that come from another cluster. */
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
    // What a command prints is for programs, too.
    const log = pino({ level: config.logLevel }, pino.destination(process.stderr.fd));
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

/** `work` with the URL of an API of its own on a free port of this machine, whose operators' surface opens to `adminKey` alone. */
export function withApi(adminKey: string, work: (url: string) => Promise<void>): Promise<void> {
  const config = commandConfig();
  // What it answers names the service's address, not its own.
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const own = { adminKey, publicUrl, host: OWN_HOST, port: 0, inboundSmtpPort: null, drainMs: 0 };
  return withRoles({ ...config, ...own }, { api: true, worker: false }, ({ url }) =>
    // By its name another address may be meant, where the same port is somebody else's.
    work(url!.replace('localhost', OWN_HOST)),
  );
}

/** `work` for an organization that exists. */
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

/** The JSON in a file, or on stdin where the file is `-`. Throws naming the option it was given by. */
export function readJson(option: string, file: string): unknown {
  const text = readFileSync(file === '-' ? STDIN : file, 'utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${option}: ${file} holds no JSON: ${(error as Error).message}`, { cause: error });
  }
}

export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));
