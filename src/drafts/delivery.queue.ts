import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Database } from '#database/database.js';
import { Presence } from '#database/presence.js';
import { traceOfStream } from '#event-store/trace-of-stream.js';
import { now } from '#kernel/instant.js';
import { type JobQueue, Jobs } from '#jobs/jobs.js';
import { ROLES, type Roles } from '#config/roles.js';
import { tracedAfter } from '#telemetry/trace.js';
import { DeliverDraft } from './deliver-draft.command.js';
import { DraftQueries } from './drafts.queries.js';
import { Lanes } from './lanes.js';

const QUEUE = 'delivery';
/** Jobs are taken off the queue many at a time, since taking one only puts the draft into its organization's lane. */
const CONCURRENCY = 50;
/** Attempts of one organization at a time in this process, and drafts that wait for their turn here. */
const LANE_WIDTH = 5;
const LANE_DEPTH = 50;
/** Attempts that are under way when the process is told to end get this long; what is cut off is taken over. */
const PATIENCE_MS = 15_000;
const SWEEP_MS = 1_000;
const SWEEP_LIMIT = 500;
const SWEEP_LIMIT_EACH = 50;

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
  /** Jobs that were given to the queue and that it has not confirmed yet, by their ids. */
  private readonly unanswered = new Set<string>();
  private readonly lanes = new Lanes(
    LANE_WIDTH,
    LANE_DEPTH,
    (organizationId) => void this.refill(organizationId),
  );

  constructor(
    private readonly jobs: Jobs,
    private readonly queries: DraftQueries,
    private readonly commands: CommandBus,
    private readonly presence: Presence,
    private readonly database: Database,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.queue = jobs.queue<DeliveryJob>(QUEUE);
  }

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.jobs.work<DeliveryJob>(QUEUE, CONCURRENCY, (job) => Promise.resolve(this.deliver(job)));
    this.sweeper = setInterval(() => {
      this.sweep = this.sweep.then(() => this.addDue());
    }, SWEEP_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.sweeper);
    await this.sweep;
    // Gone only when nothing is in hand any more, or others would take it over.
    await this.jobs.stopWorking();
    await this.lanes.close(PATIENCE_MS);
    this.presence.leave();
  }

  private deliver({ organizationId, draftId, goneWorker }: DeliveryJob): void {
    const attributes = { 'parley.organization_id': organizationId, 'parley.draft_id': draftId };
    this.lanes.run(organizationId, draftId, () =>
      tracedAfter(
        'job delivery',
        { kind: 'consumer', attributes },
        () => traceOfStream(this.database, organizationId, draftId),
        () =>
          this.commands.execute<DeliverDraft, void>(new DeliverDraft(organizationId, draftId, goneWorker)),
      ).catch((error: unknown) => this.log.warn(`${draftId}: ${String(error)}`)),
    );
  }

  /** Wakes the first attempt of a draft that was just accepted. */
  wake(organizationId: string, draftId: string): void {
    this.database.afterCommit(() => this.add(`${draftId}-0`, { organizationId, draftId, goneWorker: null }));
  }

  /** Brings what did not fit into an organization's lane, which the sweeper alone would bring by and by. */
  private async refill(organizationId: string): Promise<void> {
    try {
      for (const due of await this.queries.dueDeliveriesOf(organizationId, now(), LANE_DEPTH + 1))
        this.deliver({ organizationId, draftId: due.draft_id, goneWorker: null });
    } catch (error) {
      this.log.warn(`not refilled, the sweeper will: ${String(error)}`);
    }
  }

  private async addDue(): Promise<void> {
    try {
      for (const due of await this.queries.dueDeliveries(now(), SWEEP_LIMIT, SWEEP_LIMIT_EACH)) {
        const {
          organization_id: organizationId,
          draft_id: draftId,
          attempts,
          status,
          gone_worker: goneWorker,
        } = due;
        if (this.lanes.holds(organizationId, draftId)) continue;
        // The attempt is in the id, so that each is added anew; what is taken over has a job of its dead worker left.
        const id = `${draftId}-${attempts}${status === 'sending' ? '-over' : ''}`;
        this.add(id, { organizationId, draftId, goneWorker });
      }
    } catch (error) {
      this.log.warn(`sweep failed: ${String(error)}`);
    }
  }

  /**
   * A queue that is away answers when it is back. What it has not taken since the sweep before is done here, so that a
   * lost Redis delays deliveries by seconds only.
   */
  private add(id: string, job: DeliveryJob): void {
    if (this.unanswered.has(id)) {
      if (this.roles.worker) this.deliver(job);
      return;
    }
    this.unanswered.add(id);
    this.queue
      .add(id, job)
      .catch((error: unknown) => this.log.warn(`not woken, the sweeper will: ${String(error)}`))
      .finally(() => this.unanswered.delete(id));
  }
}
