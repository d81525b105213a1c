import type { Database } from '#database/database.js';
import { aliveProcesses } from '#database/monitoring/worker-liveness.js';
import { schemaState } from '#database/schema-state.js';
import { progressOf } from '#event-store/projection-status.js';
import { requireOwnEvents } from '#event-store/repair.js';
import { now } from '#kernel/instant.js';
import type { Config } from '../config/config.js';
import type { ReadModel } from '../read-models/read-models.contract.js';
import { examineChannels } from './channels.js';
import { connectedProcesses, serverFacts } from './doctor.queries.js';
import { failed, type Finding, ok } from './finding.js';
import { examineWays } from './pooler.js';
import { examineReplicas } from './replicas.js';
import { judgeServer } from './server.js';
import { judgeWorkers } from './workers.js';

const STALLED_S = 60;

/** What of the database is looked into besides itself. */
export interface Content {
  readModels: readonly ReadModel[];
  /** Whether to try the credentials of each channel with its provider. */
  tryChannels: boolean;
}

/** What is wrong with a database that answers, and with what is in it. */
export async function examineDatabase(
  database: Database,
  config: Config,
  content: Content,
): Promise<Finding[]> {
  const asked = Date.parse(now());
  const facts = await serverFacts(database);
  // With replicas, one more connection asks where the primary is.
  const poolSize = config.databasePoolSize + (config.databaseReplicaUrls.length > 0 ? 1 : 0);
  const findings = judgeServer(facts, poolSize, [asked, Date.parse(now())], {
    isQueueOnRedis: config.redisUrl !== null,
    isPooled: config.databaseDirectUrl !== null,
  });
  findings.push(judgeWorkers(await aliveProcesses(database), await connectedProcesses(database)));
  findings.push(...(await examineWays(database)));
  findings.push(...(await examineReplicas(database, config.databaseReplicaUrls)));
  const schema = await examineSchema(database);
  findings.push(schema);
  if (schema.verdict === 'ok') findings.push(...(await examineContent(database, config, content)));
  return findings;
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

async function examineContent(
  database: Database,
  config: Config,
  { readModels, tryChannels }: Content,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    await requireOwnEvents(database);
  } catch (error) {
    const fix = 'Stop all processes and run `npm run parley -- repair-positions`.';
    findings.push(failed('restored events', (error as Error).message, fix));
  }
  for (const { projection, kind } of readModels.filter((model) => model.kind === 'async')) {
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
  return [...findings, ...(await examineChannels(database, config, tryChannels))];
}
