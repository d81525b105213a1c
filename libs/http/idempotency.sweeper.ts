import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ROLES, type Roles } from '#config/roles.js';
import { Database } from '#database/database.js';
import { forgetOldAnswers } from './idempotency.queries.js';

const SWEEP_MS = 10 * 60_000;

/** Deletes, now and then, the answers that an Idempotency-Key brings back no more. */
@Injectable()
export class IdempotencySweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('idempotency');
  private timer?: NodeJS.Timeout;
  private sweep: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    @Inject(ROLES) private readonly roles: Roles,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    const sweep = () => {
      this.sweep = this.sweep.then(() => this.forget());
    };
    sweep();
    this.timer = setInterval(sweep, SWEEP_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweep;
  }

  private async forget(): Promise<void> {
    try {
      while (await forgetOldAnswers(this.database));
    } catch (error) {
      this.log.warn(`sweep failed: ${String(error)}`);
    }
  }
}
