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
import { PROJECTIONS, UPCASTERS } from './composition.js';
import { Metrics } from './operations/operations.contract.js';

/** Keeps the asynchronous read models up to date in processes that work. */
@Injectable()
export class Projections implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('projections');
  private readonly runner: ProjectionRunner;

  constructor(
    database: Database,
    store: EventStore,
    metrics: Metrics,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.runner = new ProjectionRunner(database, PROJECTIONS, UPCASTERS, (error, name) =>
      this.log.warn(`projection ${name}: ${String(error)}`),
    );
    store.onCommit(() => this.runner.wake());
    for (const projection of PROJECTIONS) metrics.follow(projection);
  }

  onApplicationBootstrap(): void {
    if (this.roles.worker) this.runner.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.runner.stop();
  }
}
