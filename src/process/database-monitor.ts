import type { Logger } from 'pino';
import type { Database } from '#database/database.js';
import { Heartbeat } from '#database/monitoring/heartbeat.js';
import { analyzeGrownTables } from '#database/monitoring/statistics.js';
import { Sweeper } from '#jobs/sweeper.js';

/** How often to look for tables that have outgrown their statistics. */
const STATISTICS_MS = 2_000;

/** How often to ask the database whether it answers. */
const HEARTBEAT_MS = 2_000;

/** What a process regularly looks after in its database. */
export class DatabaseMonitor {
  private readonly statistics: Sweeper;
  private readonly heartbeat: Heartbeat;
  private readonly beating: Sweeper;

  constructor(database: Database, log: Logger) {
    for (const servers of new Set([database.servers, database.direct]))
      servers.onMove = (from, to) => log.warn(`the database is now used at ${to} instead of ${from}`);
    this.statistics = new Sweeper(log, () => analyzeGrownTables(database));
    this.heartbeat = new Heartbeat(database, log);
    this.beating = new Sweeper(log, () => this.heartbeat.check());
  }

  start({ statistics }: { statistics: boolean }): void {
    if (statistics) this.statistics.start(STATISTICS_MS);
    this.beating.start(HEARTBEAT_MS);
  }

  async stop(): Promise<void> {
    await this.statistics.stop();
    await this.beating.stop();
    this.heartbeat.stop();
  }
}
