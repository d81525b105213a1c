import './process/v8-flags.js';
import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Config } from './config/config.js';
import { databaseAddress } from '#config/database-address.js';
import { keepOnce } from '#config/kept-file.js';
import { Database } from '#database/database.js';
import { SESSION_PATH } from '#http/access/session.js';
import { keepEmbeddedPostgres } from '#embedded-postgres/keeper.js';
import { ConsoleSessions } from './console/console.contract.js';
import { createDemo, type Demo, isDemoUnfinished, readDemo, startDemoInbox } from './demo/demo.js';
import { hasCluster } from './doctor/machine.js';
import { requirePort } from './process/start-http.js';
import { ExampleValues } from './app/openapi/example-values.js';
import { exampleValues } from './demo/example-values.queries.js';
import { run } from './process/run-until-signal.js';
import { type Service, startService } from './process/start-service.js';
import { tell } from './process/start-progress.js';
import { Directory } from './workspace/workspace.contract.js';

// One process: API, worker and, without DATABASE_URL, the embedded PostgreSQL with a demo organization.
await run(async (config, signal) => {
  await requirePort(config);
  if (config.port !== 0) tell(`The console will be at http://localhost:${config.port}/console.`);
  const embedded = config.databaseUrl === null ? await startDatabase(config.dataDir) : null;
  try {
    const adminKey = config.adminKey ?? (embedded && demoAdminKey(config.dataDir));
    const settled = { ...config, adminKey };
    const url = embedded?.url ?? config.databaseUrl!;
    tell('Bringing the database up to date and starting the service …');
    const service = await startService(settled, url, { api: true, worker: true }, { signal });
    const demo = embedded
      ? await demoOf(service, config.dataDir)
      : await readDemo(service.app, config.dataDir);
    if (demo) showDemo(service, demo);
    const inbox = demo && (await startDemoInbox(service.app, config.dataDir, demo));
    const link = demo && (await service.app.get(ConsoleSessions).link(demo.api_key));
    console.log(banner(settled, service, demo, link, placeOf(config)));
    return {
      async close() {
        await service.close();
        await inbox?.close();
        await embedded?.stop();
        tell(`Parley has stopped. Your data stays in ${placeOf(config)}.`);
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
});

function startDatabase(dataDir: string) {
  const isThere = hasCluster(dataDir);
  tell(isThere ? `Starting the database in ${dataDir} …` : `Making a database in ${dataDir}, this once …`);
  return keepEmbeddedPostgres(dataDir, (message) => console.error(message));
}

function placeOf({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === null ? resolve(dataDir) : `the database at ${databaseAddress(databaseUrl)!.shown}`;
}

function demoAdminKey(dataDir: string): string {
  return keepOnce(join(dataDir, 'admin.key'), () => `admin_${randomBytes(20).toString('hex')}`);
}

/** The demo of this data directory. Created when there is no organization yet, or when its creation was cut off. */
async function demoOf({ app }: Service, dataDir: string): Promise<Demo | null> {
  const isMissing = isDemoUnfinished(dataDir) || (await app.get(Directory).isEmpty());
  if (isMissing) tell('Making the demo organization …');
  return isMissing ? createDemo(app, dataDir) : readDemo(app, dataDir);
}

/** Lets the examples of the API document name records of the demo, so that they can be tried out as they stand. */
function showDemo({ app }: Service, { organization_id }: Demo): void {
  app.get(ExampleValues).find = () => exampleValues(app.get(Database), organization_id);
}

/** `link` signs in with the key of the demo. */
function banner(
  config: Config,
  { url }: Service,
  demo: Demo | null,
  link: string | null,
  place: string,
): string {
  const lines = [
    ...(link === null
      ? [`Open the console at ${url}/console`]
      : [
          `Open the console at ${url}${SESSION_PATH}/${link}`,
          `This link signs you in, once and within ten minutes. Later, sign in at ${url}/console with the X-API-KEY.`,
        ]),
    '',
    'Parley is ready.',
    '',
    `  API          ${url}`,
    `  Swagger UI   ${url}/docs`,
  ];
  if (demo) {
    lines.push(`  Organization ${demo.organization_id}`, `  X-API-KEY    ${demo.api_key}`);
    if (config.adminKey) lines.push(`  X-ADMIN-KEY  ${config.adminKey}`);
    lines.push(`  Sent mail    ${join(config.dataDir, 'inbox')}`, '', 'Try it:', '');
    lines.push(
      `  curl -H 'X-API-KEY: ${demo.api_key}' ${url}/api/v2/organizations/${demo.organization_id}/contacts`,
    );
  }
  return [...lines, '', `Ctrl-C stops it, your data stays in ${place}.`, ''].join('\n');
}
