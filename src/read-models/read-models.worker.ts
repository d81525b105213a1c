import {
  Injectable,
  Inject,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ROLES, type Roles } from '#config/roles.js';
import { Database } from '#database/database.js';
import { EventStore } from '#event-store/event-store.js';
import { AlreadyRebuilding } from '#event-store/rebuild.js';
import { rebuildPending } from '#event-store/pending-rebuilds.js';
import { ProjectionRunner } from '#event-store/projection-runner.js';
import { Sweeper } from '#jobs/sweeper.js';
import { Metrics } from '../operations/operations.contract.js';
import { ReadModels } from './read-model.js';

/** How often to look for rebuilds that a migration has asked for. */
const PENDING_MS = 5_000;

/** Keeps the asynchronous read models up to date in processes that work, and makes the rebuilds that migrations ask for. */
@Injectable()
export class ReadModelsWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('read models');
  private readonly runner: ProjectionRunner;
  private readonly pending: Sweeper;
  private readonly cancelled = new AbortController();

  constructor(
    database: Database,
    store: EventStore,
    metrics: Metrics,
    { all, asynchronous, upcasters }: ReadModels,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.runner = new ProjectionRunner(database, asynchronous, upcasters, (error, name) =>
      this.log.warn(`projection ${name}: ${String(error)}`),
    );
    const { signal: cancelled } = this.cancelled;
    const jobs = all.map((model) => ({ ...model, upcasters, cancelled }));
    this.pending = new Sweeper(PENDING_MS, this.log, () =>
      rebuildPending(database, jobs).catch((error: unknown) => {
        // Another process is at it.
        if (!(error instanceof AlreadyRebuilding)) throw error;
      }),
    );
    store.onCommit(() => this.runner.wake());
    for (const projection of asynchronous) metrics.follow(projection);
  }

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.runner.start();
    this.pending.start();
    this.pending.sweep();
  }

  async onApplicationShutdown(): Promise<void> {
    this.cancelled.abort();
    await Promise.all([this.runner.stop(), this.pending.stop()]);
  }
}
