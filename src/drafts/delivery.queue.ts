import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Presence } from '#database/presence.js';
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
  goneWorker: number | null;
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
    private readonly presence: Presence,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.queue = jobs.queue<DeliveryJob>(QUEUE);
  }

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.jobs.work<DeliveryJob>(QUEUE, CONCURRENCY, ({ organizationId, draftId, goneWorker }) =>
      this.commands.execute(new DeliverDraft(organizationId, draftId, goneWorker)),
    );
    this.sweeper = setInterval(() => {
      this.sweep = this.sweep.then(() => this.addDue());
    }, SWEEP_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.sweeper);
    await this.sweep;
    // Gone only when nothing is in hand any more, or others would take it over.
    await this.jobs.stopWorking();
    this.presence.leave();
  }

  /** Wakes the first attempt of a draft that was just accepted. */
  wake(organizationId: string, draftId: string): void {
    this.add(`${draftId}-0`, { organizationId, draftId, goneWorker: null });
  }

  private async addDue(): Promise<void> {
    try {
      for (const due of await this.queries.dueDeliveries(now(), SWEEP_LIMIT)) {
        const {
          organization_id: organizationId,
          draft_id: draftId,
          attempts,
          status,
          gone_worker: goneWorker,
        } = due;
        // The attempt is in the id, so that each is added anew; what is taken over has a job of its dead worker left.
        const id = `${draftId}-${attempts}${status === 'sending' ? '-over' : ''}`;
        this.add(id, { organizationId, draftId, goneWorker });
      }
    } catch (error) {
      this.log.warn(`sweep failed: ${String(error)}`);
    }
  }

  private add(id: string, job: DeliveryJob): void {
    this.queue
      .add(id, job)
      .catch((error: unknown) => this.log.warn(`not woken, the sweeper will: ${String(error)}`));
  }
}
