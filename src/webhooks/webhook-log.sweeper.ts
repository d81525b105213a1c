import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ROLES, type Roles } from '#config/roles.js';
import { Sweeper } from '#jobs/sweeper.js';
import { WebhookDeliveryQueries } from './deliveries.queries.js';

const SWEEP_MS = 10 * 60_000;
const BATCH = 10_000;

/** Regularly deletes deliveries that are older than the log reaches back. */
@Injectable()
export class WebhookLogSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweeper: Sweeper;

  constructor(
    queries: WebhookDeliveryQueries,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.sweeper = new Sweeper(new Logger('webhooks'), async () => {
      while (await queries.forget(BATCH));
    });
  }

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.sweeper.start(SWEEP_MS);
    this.sweeper.sweep();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sweeper.stop();
  }
}
