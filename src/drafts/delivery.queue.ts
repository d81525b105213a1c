import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { now } from '#kernel/instant.js';
import { type JobQueue, Jobs } from '#jobs/jobs.js';
import { ROLES, type Roles } from '#config/roles.js';
import { DeliverDraft } from './deliver-draft.command.js';
import { DraftQueries } from './drafts.queries.js';

const QUEUE = 'delivery';
const CONCURRENCY = 10;
const SWEEP_MS = 1_000;
const SWEEP_LIMIT = 500;

interface DeliveryJob {
  organizationId: string;
  draftId: string;
}

/**
 * Wakes deliveries up. The queue carries no truth: what is due stands in the `delivery` table, and the sweeper adds
 * every second what a crash, a flushed Redis or a full queue has lost.
 */
@Injectable()
export class DeliveryQueue implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('delivery');
  private readonly queue: JobQueue<DeliveryJob>;
  private sweeper?: NodeJS.Timeout;
  private sweep: Promise<void> = Promise.resolve();

  constructor(
    private readonly jobs: Jobs,
    private readonly queries: DraftQueries,
    private readonly commands: CommandBus,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.queue = jobs.queue<DeliveryJob>(QUEUE);
  }

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.jobs.work<DeliveryJob>(QUEUE, CONCURRENCY, ({ organizationId, draftId }) =>
      this.commands.execute(new DeliverDraft(organizationId, draftId)),
    );
    this.sweeper = setInterval(() => (this.sweep = this.sweep.then(() => this.addDue())), SWEEP_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.sweeper);
    await this.sweep;
  }

  /** Adds the delivery to the queue, best effort. The attempt is in the job's id, so that each attempt is added anew. */
  wake(organizationId: string, draftId: string, attempts: number): void {
    this.queue
      .add(`${draftId}-${attempts}`, { organizationId, draftId })
      .catch((error: unknown) => this.log.warn(`not woken, the sweeper will: ${String(error)}`));
  }

  private async addDue(): Promise<void> {
    try {
      for (const { organization_id, draft_id, attempts } of await this.queries.dueDeliveries(
        now(),
        SWEEP_LIMIT,
      ))
        this.wake(organization_id, draft_id, attempts);
    } catch (error) {
      this.log.warn(`sweep failed: ${String(error)}`);
    }
  }
}
