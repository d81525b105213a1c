import 'reflect-metadata';
import { Command } from 'commander';
import { type Config, readConfig } from '#config/config.js';
import { runningEmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded-postgres.js';
import type { Database } from '#database/database.js';
import { rowsProjection } from '#event-store/projection.js';
import { rebuild } from '#event-store/rebuild.js';
import { repairPositions } from '#event-store/repair.js';
import { verify } from '#event-store/verify.js';
import { AGGREGATES, PROJECTIONS, UPCASTERS } from './composition.js';
import { createDemo } from './demo/demo.js';
import { openSchema, startService, type Service } from './service.js';
import { ApiKeys, Organizations } from './workspace/workspace.contract.js';

const program = new Command('parley').description(
  'Operator command line. It works on DATABASE_URL, else on the embedded database.',
);

program
  .command('migrate')
  .description('bring the database schema up to date')
  .action(() => withDatabase(async () => console.log('The schema is up to date.')));

program
  .command('demo')
  .description('create the demo organization')
  .action(() =>
    withService(async ({ app }, config) => {
      console.log(JSON.stringify(await createDemo(app, config.dataDir), null, 2));
    }),
  );

program
  .command('create-organization <name>')
  .description('create an organization')
  .option('--timezone <zone>', 'IANA time zone', 'UTC')
  .option('--region <region>', 'region of phone numbers without a country code', 'US')
  .action((name: string, options: { timezone: string; region: string }) =>
    withService(async ({ app }) => {
      const body = { name, timezone: options.timezone, default_region: options.region };
      console.log(JSON.stringify(await app.get(Organizations, { strict: false }).create(body), null, 2));
    }),
  );

program
  .command('create-key <name> <organization_ids...>')
  .description('issue an API key; its secret is shown this once')
  .option('--agent <agent_id>', 'the agent on whose behalf the key acts')
  .option('--read-only', 'the key may only read', false)
  .action((name: string, organization_ids: string[], options: { agent?: string; readOnly: boolean }) =>
    withService(async ({ app }) => {
      const body = { name, organization_ids, agent_id: options.agent ?? null, read_only: options.readOnly };
      console.log(JSON.stringify(await app.get(ApiKeys, { strict: false }).issue(body), null, 2));
    }),
  );

program
  .command('rebuild <name>')
  .description(`rebuild read models from the events: ${names().join(', ')} or all`)
  .action((name: string) =>
    withDatabase(async (database) => {
      for (const { projection, kind } of chosen(name)) {
        const onProgress = (events: number) => process.stderr.write(`\r${projection.name}: ${events} events`);
        const events = await rebuild({ database, projection, kind, upcasters: UPCASTERS, onProgress });
        process.stderr.write(`\r${projection.name}: rebuilt from ${events} events\n`);
      }
    }),
  );

program
  .command('verify')
  .description('fold all events again and compare every row; exits with 1 when anything differs')
  .action(() =>
    withDatabase(async (database) => {
      for (const { projection, kind } of chosen('all')) {
        const differences = await verify({ database, projection, kind, upcasters: UPCASTERS });
        console.log(`${projection.name}: ${differences.length === 0 ? 'as the events say' : 'DIFFERS'}`);
        for (const difference of differences) console.log(JSON.stringify(difference));
        if (differences.length > 0) process.exitCode = 1;
      }
    }),
  );

program
  .command('repair-positions')
  .description('after restoring a dump: put the events of another cluster before all that are to come')
  .action(() =>
    withDatabase(
      async (database) =>
        console.log(`${await repairPositions(database)} events renumbered. Now rebuild all.`),
      false,
    ),
  );

function all() {
  return [
    ...AGGREGATES.map((aggregate) => ({ projection: rowsProjection(aggregate), kind: 'inline' as const })),
    ...PROJECTIONS.map((projection) => ({ projection, kind: 'async' as const })),
  ];
}

function names(): string[] {
  return all().map(({ projection }) => projection.name);
}

function chosen(name: string) {
  const found = all().filter(({ projection }) => name === 'all' || projection.name === name);
  if (found.length === 0)
    throw new Error(`There is no read model ${name}. There are: ${names().join(', ')}.`);
  return found;
}

/** Runs `work` on the database: the one at DATABASE_URL, the running embedded one, or one started for the while. */
async function withUrl(work: (url: string, config: Config) => Promise<void>): Promise<void> {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
  const running = config.databaseUrl ?? (await runningEmbeddedPostgres(config.dataDir));
  if (running !== null) return work(running, config);
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir });
  try {
    await work(embedded.url, config);
  } finally {
    await embedded.stop();
  }
}

const withDatabase = (work: (database: Database) => Promise<void>, guard = true) =>
  withUrl(async (url, config) => {
    const database = await openSchema(config, url, guard);
    try {
      await work(database);
    } finally {
      await database.close();
    }
  });

const withService = (work: (service: Service, config: Config) => Promise<void>) =>
  withUrl(async (url, config) => {
    const service = await startService(config, url, { api: false, worker: false });
    try {
      await work(service, config);
    } finally {
      await service.close();
    }
  });

try {
  await program.parseAsync();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
