import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, type ICommand } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Roles } from '#config/roles.js';
import { shownSettings } from '../config/shown-settings.js';
import { VERSION } from '#config/product.js';
import { secretKeyOf } from '#config/secret-key.js';
import { processClock } from '#kernel/instant.js';
import { Drain } from '#http/limits/drain.js';
import type { Servers } from '#database/servers.js';
import { httpAdapter } from '#http/server.js';
import { Jobs } from '#jobs/jobs.js';
import type { Tracing } from '#telemetry/otel.js';
import { traced } from '#telemetry/trace.js';
import { AppModule } from '../app/app.module.js';
import { DatabaseMonitor } from './database-monitor.js';
import { listen } from './start-http.js';
import { openLog } from './log.js';
import { openWorkerDoor, type WorkerDoor } from './worker-door.js';
import { openReplicasOf, openSchema } from './open-database.js';

/** Time for requests under way when the server closes; a client may be slow for ever. */
const REQUEST_LIMIT_MS = 10_000;

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
  { log = openLog(config.logLevel), signal }: { log?: Logger; signal?: AbortSignal },
): Promise<Service> {
  processClock.onSetBack = (seconds) =>
    log.warn(
      `the clock was set back by ${seconds.toFixed(1)} s: what was recorded meanwhile lies in the future`,
    );
  const secretKey = secretKeyOf(config.secretKey, config.dataDir);
  const tracing = await tracingOf(config);
  const database = await openSchema(config, databaseUrl, { tracing, signal });
  const watch = new DatabaseMonitor(database, log);
  const jobs = openJobs(config, database.direct, log);
  const drain = new Drain();
  const module = AppModule.with({ config, roles, database, jobs, secretKey, drain });

  let app: INestApplicationContext | null = null;
  let door: WorkerDoor | null = null;
  const close = async () => {
    if (app) await closeApp(app);
    await door?.close();
    await watch.stop();
    await jobs.close();
    await database.replicas?.close();
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
    // Workers decide and write by what they read.
    if (roles.api) await openReplicasOf(database, config, { tracing, log });
    app = await createApp(module, config, roles, log);
    if (tracing) traceCommands(app.get(CommandBus));
    const url = roles.api ? await listen(app as NestFastifyApplication, config, tracing) : null;
    if (!roles.api) await app.init();
    if (roles.worker && !roles.api && config.workerPort > 0)
      door = await openWorkerDoor(app, { port: config.workerPort, host: config.host });
    // API-only processes leave this to the worker, as there may be many of them. A process with neither role runs a
    // command, such as an import.
    watch.start({ statistics: roles.worker || !roles.api });
    // Whoever looks at a terminal is told so in words.
    const note = (what: object, message: string) =>
      process.stdout.isTTY ? log.debug(what, message) : log.info(what, message);
    const role = roles.api && roles.worker ? 'api and worker' : roles.api ? 'api' : 'worker';
    // Commands of the command line have neither role.
    const isServing = roles.api || roles.worker;
    if (isServing) {
      note({ version: VERSION, role }, 'started');
      log.debug({ settings: shownSettings(config) }, 'settings');
    }
    const end = async () => {
      await drainAndClose();
      if (isServing) note({}, 'stopped');
    };
    return { app, url, log, close: end };
  } catch (error) {
    await close();
    throw error;
  }
}

const openJobs = ({ redisUrl }: Config, servers: Servers, log: Logger): Jobs =>
  new Jobs({
    servers,
    redisUrl,
    // Not the error itself: the driver attaches its whole connection to it.
    onError: (error) => log.error(`queue: ${error.message}`),
    onChange: (isUp) =>
      isUp
        ? log.warn('Redis is back')
        : log.warn('Redis is away; drafts leave all the same, a second or two later'),
  });

function createApp(
  module: ReturnType<typeof AppModule.with>,
  config: Config,
  roles: Roles,
  log: Logger,
): Promise<INestApplicationContext> {
  const options = { logger: nestLogger(log), abortOnError: false };
  return roles.api
    ? NestFactory.create<NestFastifyApplication>(module, httpAdapter(log, config), options)
    : NestFactory.createApplicationContext(module, options);
}

async function closeApp(app: INestApplicationContext): Promise<void> {
  const cutOff = setTimeout(() => closeConnections(app), REQUEST_LIMIT_MS);
  await app.close();
  clearTimeout(cutOff);
}

function closeConnections(app: INestApplicationContext): void {
  if ('getHttpServer' in app) {
    const server: Server = (app as NestFastifyApplication).getHttpServer();
    server.closeAllConnections();
  }
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

const nestLogger = (log: Logger) => ({
  log: (message: unknown) => log.debug(message),
  error: (message: unknown, ...rest: unknown[]) => log.error({ rest }, String(message)),
  warn: (message: unknown) => log.warn(String(message)),
  debug: (message: unknown) => log.debug(message),
  verbose: (message: unknown) => log.trace(message),
  fatal: (message: unknown) => log.fatal(String(message)),
});
