import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ROLES, type Roles } from '#config/roles.js';
import { now, plusSeconds } from '#kernel/instant.js';
import { WebhookDeliveryQueries } from './deliveries.queries.js';
import { KEPT_SECONDS } from './retention.js';

const SWEEP_MS = 10 * 60_000;
const BATCH = 10_000;

/** Deletes, now and then, what the log of deliveries keeps no longer. */
@Injectable()
export class WebhookLogSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('webhooks');
  private timer?: NodeJS.Timeout;
  private sweep: Promise<void> = Promise.resolve();

  constructor(
    private readonly queries: WebhookDeliveryQueries,
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

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweep;
  }

  private async forget(): Promise<void> {
    try {
      while (await this.queries.forget(plusSeconds(now(), -KEPT_SECONDS), BATCH));
    } catch (error) {
      this.log.warn(`sweep failed: ${String(error)}`);
    }
  }
}
