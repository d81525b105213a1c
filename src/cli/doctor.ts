import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config/config.js';
import type { Database } from '#database/database.js';
import { databaseAddress } from '#config/database-address.js';
import { openDatabase } from '#database/data-source.js';
import { Servers } from '#database/servers.js';
import { runningEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { withUrl } from './with-service.js';
import { READ_MODELS } from '../app/composition.js';
import { ENTITIES, MIGRATIONS } from '../app/schema.js';
import { examineDatabase } from '../doctor/database.js';
import { examineEnvironment } from '../doctor/environment.js';
import { failed, type Finding, ok } from '../doctor/finding.js';
import { examinePort, hasCluster } from '../doctor/machine.js';
import { judgeRefusal } from '../doctor/server.js';
import { examineSurroundings, LEAST_FREE_MIB } from '../doctor/surroundings.js';

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
  findings.push(...(await examineSurroundings(config, minFree)));
  findings.push(await examinePort('PORT', config.port, config.host));
  if (config.inboundSmtpPort !== null)
    findings.push(await examinePort('INBOUND_SMTP_PORT', config.inboundSmtpPort, config.host));
  return [...findings, ...(await examineDatabaseOf(config))];
}

/** Findings on the database. An embedded one is started meanwhile if needed; a directory without one is left as it is. */
async function examineDatabaseOf(config: Config): Promise<Finding[]> {
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
  const { databaseDirectUrl } = config;
  let database: Database;
  try {
    database = await openDatabase({
      url,
      ...(databaseDirectUrl !== null && { direct: new Servers(databaseDirectUrl) }),
      poolSize: 2,
      entities: ENTITIES,
      migrations: MIGRATIONS,
    });
  } catch (error) {
    return [judgeRefusal(error as Error, databaseAddress(url)!.shown)];
  }
  try {
    return await examineDatabase(database, config, { readModels: READ_MODELS, tryChannels: true });
  } finally {
    await database.close();
  }
}
