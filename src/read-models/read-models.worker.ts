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
  /** One for each, so that none waits while another is rebuilt. */
  private readonly runners: ProjectionRunner[];
  private readonly pending: Sweeper;
  private readonly cancelled = new AbortController();

  constructor(
    database: Database,
    store: EventStore,
    metrics: Metrics,
    { all, asynchronous, upcasters }: ReadModels,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    const failed = (error: unknown, name: string) => this.log.warn(`projection ${name}: ${String(error)}`);
    this.runners = asynchronous.map((one) => new ProjectionRunner(database, [one], upcasters, failed));
    const { signal: cancelled } = this.cancelled;
    const jobs = all.map((model) => ({ ...model, upcasters, cancelled }));
    this.pending = new Sweeper(this.log, () =>
      rebuildPending(database, jobs).catch((error: unknown) => {
        // Another process is at it.
        if (!(error instanceof AlreadyRebuilding)) throw error;
      }),
    );
    store.onCommit(() => this.runners.forEach((runner) => runner.wake()));
    for (const projection of asynchronous) metrics.follow(projection);
  }

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    for (const runner of this.runners) runner.start();
    this.pending.start(PENDING_MS);
    this.pending.sweep();
  }

  async onApplicationShutdown(): Promise<void> {
    this.cancelled.abort();
    await Promise.all([...this.runners.map((runner) => runner.stop()), this.pending.stop()]);
  }
}
