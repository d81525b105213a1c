import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config/config.js';
import type { Database } from '#database/database.js';
import { openDatabase } from '#database/data-source.js';
import { runningEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { aliveProcesses } from '#database/monitoring/worker-liveness.js';
import { schemaState } from '#database/schema-state.js';
import { progressOf } from '#event-store/projection-status.js';
import { now } from '#kernel/instant.js';
import { requireOwnEvents } from '#event-store/repair.js';
import { withUrl } from './with-service.js';
import { READ_MODELS } from '../app/composition.js';
import { ENTITIES, MIGRATIONS } from '../app/schema.js';
import { examineChannels } from '../doctor/channels.js';
import { connectedProcesses, serverFacts } from '../doctor/doctor.queries.js';
import { examineEnvironment, examineTls } from '../doctor/environment.js';
import { failed, type Finding, ok } from '../doctor/finding.js';
import { examineDataDirectory, examineDisk, examinePort, hasCluster } from '../doctor/machine.js';
import { examineRedis } from '../doctor/redis.js';
import { judgeRefusal, judgeServer } from '../doctor/server.js';
import { judgeWorkers } from '../doctor/workers.js';

const STALLED_S = 60;
const LEAST_FREE_MIB = 1024;
const LABELS = { ok: 'ok     ', warning: 'warning', error: 'error  ' };

/** `doctor`: what is wrong with the set-up, and how to fix it. It changes nothing. */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('say what is wrong with the set-up and how to fix it; exits with 1 when there is an error')
    .option('--json', 'print the findings as JSON', false)
    .option(
      '--min-free <MiB>',
      'how much room the disk of the data directory should have',
      readMib,
      LEAST_FREE_MIB,
    )
    .action(async ({ json, minFree }: { json: boolean; minFree: number }) => {
      const findings = await examine(process.env, minFree);
      if (json) console.log(JSON.stringify(findings, null, 2));
      else findings.forEach(print);
      if (findings.some(({ verdict }) => verdict === 'error')) process.exitCode = 1;
    });
}

function readMib(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of MiB.');
}

function print({ check, verdict, detail, fix }: Finding): void {
  console.log(`${LABELS[verdict]} ${check}: ${detail}`);
  if (fix) console.log(`        fix: ${fix}`);
}

/** All findings on a set-up with this environment; `minFree` is in MiB. */
export async function examine(
  env: Record<string, string | undefined>,
  minFree = LEAST_FREE_MIB,
): Promise<Finding[]> {
  const { findings, config } = examineEnvironment(env);
  if (!config) return findings;
  findings.push(examineDataDirectory(config.dataDir), examineDisk(config.dataDir, minFree));
  findings.push(await examinePort('PORT', config.port, config.host));
  if (config.inboundSmtpPort !== null)
    findings.push(await examinePort('INBOUND_SMTP_PORT', config.inboundSmtpPort, config.host));
  if (config.inboundSmtpTls !== null) findings.push(await examineTls(config.inboundSmtpTls));
  if (config.redisUrl !== null) findings.push(await examineRedis(config.redisUrl));
  return [...findings, ...(await examineDatabase(config))];
}

/** Findings on the database. An embedded one is started meanwhile if needed; a directory without one is left as it is. */
async function examineDatabase(config: Config): Promise<Finding[]> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === null && !hasCluster(dataDir) && (await runningEmbeddedPostgres(dataDir)) === null)
    return [ok('database', `there is none in ${dataDir} yet; npm start makes it`)];
  let findings: Finding[] = [];
  try {
    await withUrl(config, async (url) => {
      findings = await examineUrl(url, config);
    });
  } catch (error) {
    findings.push(failed('database', (error as Error).message, 'See docs/operate.md.'));
  }
  return findings;
}

async function examineUrl(url: string, config: Config): Promise<Finding[]> {
  let database: Database;
  try {
    database = await openDatabase({ url, poolSize: 2, entities: ENTITIES, migrations: MIGRATIONS });
  } catch (error) {
    return [judgeRefusal(error as Error, new URL(url).host)];
  }
  try {
    const asked = Date.parse(now());
    const facts = await serverFacts(database);
    const isQueueOnRedis = config.redisUrl !== null;
    const findings = judgeServer(facts, config.databasePoolSize, [asked, Date.parse(now())], isQueueOnRedis);
    findings.push(judgeWorkers(await aliveProcesses(database), await connectedProcesses(database)));
    const schema = await examineSchema(database);
    findings.push(schema);
    if (schema.verdict === 'ok') findings.push(...(await examineContent(database, config)));
    return findings;
  } finally {
    await database.close();
  }
}

async function examineSchema(database: Database): Promise<Finding> {
  const { missing, unknown } = await schemaState(database);
  if (unknown.length > 0)
    return failed(
      'migrations',
      `the database was migrated by a newer version: ${unknown.join(', ')}`,
      'Run that version of Parley or a later one.',
    );
  if (missing.length > 0)
    return failed(
      'migrations',
      `${missing.length} are missing: ${missing.join(', ')}`,
      'Run `npm run parley -- migrate`; a start does it, too.',
    );
  return ok('migrations', 'up to date');
}

async function examineContent(database: Database, config: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    await requireOwnEvents(database);
  } catch (error) {
    const fix = 'Stop all processes and run `npm run parley -- repair-positions`.';
    findings.push(failed('restored events', (error as Error).message, fix));
  }
  for (const { projection, kind } of READ_MODELS.filter((model) => model.kind === 'async')) {
    const { lagSeconds, rebuild } = await progressOf(database, projection, kind);
    if (lagSeconds > STALLED_S && rebuild === null)
      findings.push(
        failed(
          'read models',
          `${projection.name} has been standing still for ${Math.round(lagSeconds)} s`,
          'Run a worker; if one runs, its log says why. `npm run parley -- rebuild` makes it anew.',
        ),
      );
  }
  return [...findings, ...(await examineChannels(database, config))];
}
