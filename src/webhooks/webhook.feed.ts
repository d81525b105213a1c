import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ROLES, type Roles } from '#config/roles.js';
import { Database } from '#database/database.js';
import { EventStore } from '#event-store/event-store.js';
import { ProjectionRunner } from '#event-store/projection-runner.js';
import { PublicEvents } from '../events/events.contract.js';
import { Metrics } from '../operations/operations.contract.js';
import { WebhookQueue } from './webhook.queue.js';
import { webhookDeliveries } from './webhooks.projection.js';

/** In working processes, follows the feed beside the read models and records deliveries to webhooks. */
@Injectable()
export class WebhookFeed implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('webhooks');
  private readonly runner: ProjectionRunner;

  constructor(
    database: Database,
    store: EventStore,
    events: PublicEvents,
    queue: WebhookQueue,
    metrics: Metrics,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    const deliveries = webhookDeliveries(
      (stored, asked) => events.typeFor(stored, asked),
      ({ organizationId, webhookId }) => queue.wake(organizationId, webhookId),
    );
    // No upcasters: an event's data are not read before it is sent.
    this.runner = new ProjectionRunner(database, [deliveries], {}, (error) =>
      this.log.warn(`not recorded yet: ${String(error)}`),
    );
    store.onCommit(() => this.runner.wake());
    metrics.follow(deliveries);
  }

  onApplicationBootstrap(): void {
    if (this.roles.worker) this.runner.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.runner.stop();
  }
}
