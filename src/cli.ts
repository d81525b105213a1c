import 'reflect-metadata';
import { createReadStream, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { type Config, readConfig } from '#config/config.js';
import { runningEmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded-postgres.js';
import type { Database } from '#database/database.js';
import { rebuild } from '#event-store/rebuild.js';
import { repairPositions } from '#event-store/repair.js';
import { verify } from '#event-store/verify.js';
import { READ_MODELS, UPCASTERS } from './composition.js';
import { ImportMbox } from './conversations/conversations.contract.js';
import { ImportContacts } from './crm/crm.contract.js';
import { createDemo } from './demo/demo.js';
import { endBar, progressBar } from './progress-bar.js';
import { openSchema, startService, type Service } from './service.js';
import { ApiKeys, Directory, Organizations } from './workspace/workspace.contract.js';

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

const imports = program.command('import').description('take in what another system has');

imports
  .command('mbox <file>')
  .description('record the mails of an mbox; run it again and none is recorded twice')
  .requiredOption('--organization <organization_id>', 'the organization')
  .option('--own <addresses...>', "addresses whose mails were sent, beside the channel's own", [])
  .action((file: string, options: { organization: string; own: string[] }) =>
    withOrganization(options.organization, async ({ app }) => {
      const { errors, ...done } = await app.get(ImportMbox, { strict: false }).run({
        organizationId: options.organization,
        chunks: createReadStream(file),
        own: options.own,
        onProgress: ({ mails }) => void (mails % 100 === 0 && process.stderr.write(`\r${mails} mails`)),
      });
      for (const { mail, detail } of errors) console.error(`mail ${mail}: ${detail}`);
      console.log(JSON.stringify({ ...done, errors: errors.length }));
      if (errors.length > 0) process.exitCode = 1;
    }),
  );

imports
  .command('contacts <file>')
  .description('create the contacts of a CSV file that are not there; none when a row is wrong')
  .requiredOption('--organization <organization_id>', 'the organization')
  .option(
    '--map <columns...>',
    'what a column is: Header=field, Header=custom_fields.key, or Header=- to leave it out',
    [],
  )
  .option('--skip-errors', 'take the other rows in when some are wrong', false)
  .action((file: string, options: { organization: string; map: string[]; skipErrors: boolean }) =>
    withOrganization(options.organization, async ({ app }) => {
      const { errors, ...done } = await app.get(ImportContacts, { strict: false }).run({
        organizationId: options.organization,
        text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)),
        mapping: new Map(options.map.map(splitMapping)),
        skipErrors: options.skipErrors,
        onProgress: (rows) => process.stderr.write(`\r${rows} rows`),
      });
      for (const { line, detail } of errors) console.error(`line ${line}: ${detail}`);
      console.log(JSON.stringify({ ...done, errors: errors.length }));
      if (errors.length > 0) process.exitCode = 1;
    }),
  );

program
  .command('rebuild <name>')
  .description(`rebuild read models from the events: ${names().join(', ')} or all`)
  .action((name: string) =>
    withDatabase(async (database) => {
      for (const { projection, kind } of chosen(name)) {
        const onProgress = progressBar(projection.name);
        const events = await rebuild({ database, projection, kind, upcasters: UPCASTERS, onProgress });
        endBar();
        process.stderr.write(`${projection.name}: rebuilt from ${events} events\n`);
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

function names(): string[] {
  return READ_MODELS.map(({ projection }) => projection.name);
}

function chosen(name: string) {
  const found = READ_MODELS.filter(({ projection }) => name === 'all' || projection.name === name);
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

/** `work` for an organization that exists. */
const withOrganization = (organizationId: string, work: (service: Service) => Promise<void>) =>
  withService(async (service) => {
    if (!(await service.app.get(Directory, { strict: false }).organization(organizationId)))
      throw new Error(`There is no organization ${organizationId}.`);
    await work(service);
  });

/** `Header=field`; the header may hold `=`. */
function splitMapping(text: string): [header: string, field: string] {
  const at = text.lastIndexOf('=');
  if (at <= 0) throw new Error(`--map: ${text} is not Header=field.`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

try {
  await program.parseAsync();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
