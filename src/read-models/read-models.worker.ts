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
import { ProjectionRunner } from '#event-store/projection-runner.js';
import { Metrics } from '../operations/operations.contract.js';
import { ReadModels } from './read-model.js';

/** Keeps the asynchronous read models up to date in processes that work. */
@Injectable()
export class ReadModelsWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('read models');
  private readonly runner: ProjectionRunner;

  constructor(
    database: Database,
    store: EventStore,
    metrics: Metrics,
    { asynchronous, upcasters }: ReadModels,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.runner = new ProjectionRunner(database, asynchronous, upcasters, (error, name) =>
      this.log.warn(`projection ${name}: ${String(error)}`),
    );
    store.onCommit(() => this.runner.wake());
    for (const projection of asynchronous) metrics.follow(projection);
  }

  onApplicationBootstrap(): void {
    if (this.roles.worker) this.runner.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.runner.stop();
  }
}
