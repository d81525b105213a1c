import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import { schemaState } from '#database/schema-state.js';
import { LONGEST_WRITER_S } from '#event-store/feed.js';
import { Drain } from '#http/limits/drain.js';
import { Problem } from '#http/problems/problem.js';
import { Jobs } from '#jobs/jobs.js';
import { OperationsQueries } from './operations.queries.js';
import type { ReadyResponse } from './health.dto.js';

/** Whether this process should get requests, and which faults it has while it still answers. */
@Injectable()
export class Readiness {
  private migrated = false;

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly drain: Drain,
    private readonly queries: OperationsQueries,
  ) {}

  /** Throws 503 when requests would fail here: while ending, without a database that takes writes, or before its migrations. */
  async examine(): Promise<ReadyResponse> {
    if (this.drain.isOn) throw unready('This process is about to end; another one answers.');
    if (await this.queries.isReadOnly())
      throw unready('The database takes no writes: it is a replica, or set to read only.');
    await this.requireMigrations();
    const [queue, age, workers] = await Promise.all([
      this.jobs.isUp(),
      this.queries.watermarkAge(),
      this.queries.workers(),
    ]);
    const held = age > LONGEST_WRITER_S;
    return {
      status: queue && !held && workers.count > 0 ? 'ok' : 'degraded',
      checks: {
        database: 'ok',
        migrations: 'ok',
        queue: queue ? 'ok' : 'away',
        event_feed: held ? 'held_back' : 'ok',
        workers: workers.count > 0 ? 'ok' : 'away',
      },
      workers,
      watermark_age_seconds: age,
    };
  }

  /** Migrations of a newer version do not matter: during a rollout both versions work on one database. */
  private async requireMigrations(): Promise<void> {
    if (this.migrated) return;
    const { missing } = await schemaState(this.database);
    if (missing.length > 0) throw unready('The database lacks migrations of this version.');
    this.migrated = true;
  }
}

const unready = (detail: string): Problem =>
  new Problem(503, 'unavailable', detail, { headers: { 'Retry-After': '1' } });
