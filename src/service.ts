import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, type ICommand } from '@nestjs/cqrs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino, type Logger } from 'pino';
import type { Config } from '#config/config.js';
import type { Roles } from '#config/roles.js';
import { secretKeyOf } from '#config/secret-key.js';
import { openDatabase } from '#database/data-source.js';
import { Database } from '#database/database.js';
import { migrate } from '#database/migrate.js';
import { Pulse } from '#database/pulse.js';
import { lookAtGrownTables } from '#database/statistics.js';
import { requireOwnEvents } from '#event-store/repair.js';
import { hasCode } from '#kernel/error-code.js';
import { Drain } from '#http/drain.js';
import { serveDocs } from '#http/openapi.js';
import { PublicUrl } from '#http/public-url.js';
import { logRequests } from '#http/request-log.js';
import { measureRequests } from '#http/request-metrics.js';
import { httpAdapter, prepareHttp } from '#http/server.js';
import { QUEUES_PATH } from '#http/key-guard.js';
import { Jobs } from '#jobs/jobs.js';
import { Sweeper } from '#jobs/sweeper.js';
import type { Tracing } from '#telemetry/otel.js';
import { traced } from '#telemetry/trace.js';
import { AppModule } from './app.module.js';
import { judgeRefusal } from './doctor/server.js';
import { Metrics } from './operations/operations.contract.js';
import { ENTITIES, MIGRATIONS } from './composition.js';
import { documentOf } from './document.js';
import { Channels, Directory } from './workspace/workspace.contract.js';

/** Time for requests under way when the server closes; a client may be slow for ever. */
const REQUEST_LIMIT_MS = 10_000;

/** How often to look for tables that have outgrown their statistics. */
const STATISTICS_MS = 2_000;

/** How often to ask the database whether it answers. */
const PULSE_MS = 2_000;

/** A running half or whole of the product. */
export interface Service {
  app: INestApplicationContext;
  /** Where the API listens; null for a worker alone. */
  url: string | null;
  log: Logger;
  /** Ends requests and jobs in progress, then closes every connection. */
  close(): Promise<void>;
}

/**
 * Opens the database, brings its schema up to date and starts the roles. `databaseUrl` is the database to use, embedded or
 * not; `signal` ends the wait for a database that is starting.
 */
export async function startService(
  config: Config,
  databaseUrl: string,
  roles: Roles,
  { log = pino({ level: config.logLevel }), signal }: { log?: Logger; signal?: AbortSignal },
): Promise<Service> {
  const secretKey = secretKeyOf(config.secretKey, config.dataDir);
  const tracing = await tracingOf(config);
  const database = await openSchema(config, databaseUrl, { tracing, signal });
  const jobs = new Jobs({
    databaseUrl,
    redisUrl: config.redisUrl,
    // Not the error itself: the driver attaches its whole connection to it.
    onError: (error) => log.error(`queue: ${error.message}`),
  });
  const drain = new Drain();
  const module = AppModule.with({ config, roles, database, jobs, secretKey, drain });
  const options = { logger: nestLogger(log), abortOnError: false };

  let app: INestApplicationContext | null = null;
  const statistics = new Sweeper(STATISTICS_MS, log, () => lookAtGrownTables(database));
  const pulse = new Pulse(database, log);
  const pulseSweeper = new Sweeper(PULSE_MS, log, () => pulse.feel());
  const close = async () => {
    const cutOff = setTimeout(() => app && closeConnections(app), REQUEST_LIMIT_MS);
    await app?.close();
    clearTimeout(cutOff);
    await statistics.stop();
    await pulseSweeper.stop();
    pulse.stop();
    await jobs.close();
    await database.close();
    await tracing?.stop();
  };
  const drainAndClose = async () => {
    drain.begin();
    // A process with both roles has no other to which clients could turn.
    if (roles.api && !roles.worker) await sleep(config.drainMs);
    await close();
  };
  try {
    app = roles.api
      ? await NestFactory.create<NestFastifyApplication>(module, httpAdapter(log), options)
      : await NestFactory.createApplicationContext(module, options);
    if (tracing) traceCommands(app.get(CommandBus));
    const url = roles.api ? await listen(app as NestFastifyApplication, config, tracing) : null;
    if (!roles.api) await app.init();
    // API-only processes leave this to the worker, as there may be many of them. A process with neither role runs a
    // command, such as an import.
    if (roles.worker || !roles.api) statistics.start();
    pulseSweeper.start();
    return { app, url, log, close: drainAndClose };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the database with its schema up to date. `guard`: refuse events that come from another cluster. */
export async function openSchema(
  config: Config,
  databaseUrl: string,
  {
    guard = true,
    tracing = null,
    signal,
  }: { guard?: boolean; tracing?: Tracing | null; signal?: AbortSignal },
): Promise<Database> {
  const database = await openDatabase({
    url: databaseUrl,
    poolSize: config.databasePoolSize,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    onConnect: tracing?.traceConnection,
    signal,
  }).catch((error: Error & { code?: string }) => {
    // Errors of PostgreSQL and the network have a code.
    if (error.code === undefined) throw error;
    const { detail, mend } = judgeRefusal(error, new URL(databaseUrl).host);
    throw new Error(`Database: ${detail}. ${mend}`, { cause: error });
  });
  try {
    await migrate(database);
    if (guard) await requireOwnEvents(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Loaded only when there is an admin key. */
async function serveQueues(server: FastifyInstance, jobs: Jobs): Promise<void> {
  const { showQueues } = await import('#jobs/dashboard.js');
  await showQueues(server, jobs, QUEUES_PATH);
}

async function listen(app: NestFastifyApplication, config: Config, tracing: Tracing | null): Promise<string> {
  tracing?.traceRequests(app.getHttpAdapter().getInstance());
  const routesComplete = await prepareHttp(
    app,
    app.get(Directory),
    app.get(Channels),
    config,
    app.get(Database),
    app.get(Drain),
  );
  const server = app.getHttpAdapter().getInstance();
  logRequests(server);
  measureRequests(server, app.get(Metrics).registry);
  const publicUrl = app.get(PublicUrl);
  serveDocs(app, () => documentOf(app, publicUrl.value));
  if (config.adminKey !== null) await serveQueues(app.getHttpAdapter().getInstance(), app.get(Jobs));
  await app.init();
  routesComplete();
  try {
    await app.listen(config.port, config.host);
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    throw new Error(`Port ${config.port} is in use. Choose another one with PORT.`, { cause: error });
  }
  const { port } = app.getHttpServer().address() as { port: number };
  if (config.publicUrl === null) publicUrl.value = `http://localhost:${port}`;
  return `http://localhost:${port}`;
}

/** Loaded only when traces are wanted. */
async function tracingOf({ otlpEndpoint, serviceName }: Config): Promise<Tracing | null> {
  if (otlpEndpoint === null) return null;
  const { startTracing } = await import('#telemetry/otel.js');
  return startTracing(otlpEndpoint, serviceName);
}

function traceCommands(bus: CommandBus): void {
  const execute = bus.execute.bind(bus);
  bus.execute = <Command extends ICommand, Result>(command: Command) =>
    traced<Result>(`command ${command.constructor.name}`, {}, () => execute<Command, Result>(command));
}

function closeConnections(app: INestApplicationContext): void {
  if ('getHttpServer' in app) {
    const server: Server = (app as NestFastifyApplication).getHttpServer();
    server.closeAllConnections();
  }
}

const nestLogger = (log: Logger) => ({
  log: (message: unknown) => log.debug(message),
  error: (message: unknown, ...rest: unknown[]) => log.error({ rest }, String(message)),
  warn: (message: unknown) => log.warn(String(message)),
  debug: (message: unknown) => log.debug(message),
  verbose: (message: unknown) => log.trace(message),
  fatal: (message: unknown) => log.fatal(String(message)),
});
