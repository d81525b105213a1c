import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ROLES, type Roles } from '#config/roles.js';
import { Database } from '#database/database.js';
import { Sweeper } from '#jobs/sweeper.js';
import { forgetOldAnswers } from './idempotency.queries.js';

const SWEEP_MS = 10 * 60_000;

/** Regularly deletes answers that are too old for an Idempotency-Key. */
@Injectable()
export class IdempotencySweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweeper: Sweeper;

  constructor(
    database: Database,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.sweeper = new Sweeper(new Logger('idempotency'), async () => {
      while (await forgetOldAnswers(database));
    });
  }

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.sweeper.start(SWEEP_MS);
    this.sweeper.sweep();
  }

  onApplicationShutdown(): Promise<void> {
    return this.sweeper.stop();
  }
}
