import type { Logger } from 'pino';
import type { Database } from '#database/database.js';
import { Pulse } from '#database/monitoring/heartbeat.js';
import { lookAtGrownTables } from '#database/monitoring/statistics.js';
import { Sweeper } from '#jobs/sweeper.js';

/** How often to look for tables that have outgrown their statistics. */
const STATISTICS_MS = 2_000;

/** How often to ask the database whether it answers. */
const PULSE_MS = 2_000;

/** What a process regularly looks after in its database. */
export class DatabaseWatch {
  private readonly statistics: Sweeper;
  private readonly pulse: Pulse;
  private readonly feeling: Sweeper;

  constructor(database: Database, log: Logger) {
    this.statistics = new Sweeper(STATISTICS_MS, log, () => lookAtGrownTables(database));
    this.pulse = new Pulse(database, log);
    this.feeling = new Sweeper(PULSE_MS, log, () => this.pulse.feel());
  }

  start({ statistics }: { statistics: boolean }): void {
    if (statistics) this.statistics.start();
    this.feeling.start();
  }

  async stop(): Promise<void> {
    await this.statistics.stop();
    await this.feeling.stop();
    this.pulse.stop();
  }
}
