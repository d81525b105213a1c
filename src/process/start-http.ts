import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import { Database } from '#database/database.js';
import { hasCode } from '#kernel/error-code.js';
import { Drain } from '#http/limits/drain.js';
import { QUEUES_PATH } from '#http/access/key-guard.js';
import { serveConsole } from '../console/console.contract.js';
import { serveDocs } from '../app/openapi/docs.js';
import { ExampleValues } from '../app/openapi/example-values.js';
import { PublicUrl } from '#http/public-url.js';
import { logRequests } from '#http/request-log.js';
import { measureRequests } from '#http/request-metrics.js';
import { prepareHttp } from '#http/server.js';
import { Jobs } from '#jobs/jobs.js';
import type { Tracing } from '#telemetry/otel.js';
import { ConsoleSessions } from '../console/console.contract.js';
import { listenRefusal } from '../doctor/machine.js';
import { documentOf } from '../app/openapi/application-document.js';
import { Metrics } from '../operations/operations.contract.js';
import { Channels, Directory, Vault } from '../workspace/workspace.contract.js';

/** Puts together what every surface of the API shares, and listens; gives the URL. */
export async function listen(
  app: NestFastifyApplication,
  config: Config,
  tracing: Tracing | null,
): Promise<string> {
  const server = app.getHttpAdapter().getInstance();
  tracing?.traceRequests(server);
  const routesComplete = await prepareHttp(
    app,
    app.get(Directory),
    app.get(ConsoleSessions),
    app.get(Channels),
    config,
    app.get(Database),
    app.get(Vault),
    app.get(Drain),
  );
  logRequests(server, config.accessLog);
  measureRequests(server, app.get(Metrics).registry);
  const publicUrl = app.get(PublicUrl);
  await serveConsole(server);
  await serveDocs(server, () => documentOf(app, publicUrl.value), app.get(ExampleValues));
  if (config.adminKey !== null) await serveQueues(server, app.get(Jobs));
  await app.init();
  routesComplete();
  const { level } = server.log;
  try {
    // A line for each address of the machine, of which the start tells one.
    server.log.level = 'silent';
    await app.listen(config.port, config.host);
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    throw portInUse(config.port);
  } finally {
    server.log.level = level;
  }
  const { port } = app.getHttpServer().address() as { port: number };
  if (config.publicUrl === null) publicUrl.value = `http://localhost:${port}`;
  return `http://localhost:${port}`;
}

/** Throws at once for a port that is taken, rather than after a database was made. */
export async function requirePort({ port, host }: Config): Promise<void> {
  if ((await listenRefusal(port, host)) === 'EADDRINUSE') throw portInUse(port);
}

const portInUse = (port: number): Error => new Error(`Port ${port} is in use. Choose another one with PORT.`);

/** Loaded only when there is an admin key. */
async function serveQueues(server: FastifyInstance, jobs: Jobs): Promise<void> {
  const { showQueues } = await import('#jobs/dashboard.js');
  await showQueues(server, jobs, QUEUES_PATH);
}
