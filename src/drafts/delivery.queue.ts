import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '#database/database.js';
import { Absences, Presence } from '#database/presence.js';
import { now } from '#kernel/instant.js';
import { type JobQueue, Jobs } from '#jobs/jobs.js';
import { Sweeper } from '#jobs/sweeper.js';
import { ROLES, type Roles } from '#config/roles.js';
import { Deliveries } from './deliveries.js';
import { DeliveryQueries } from './deliveries.queries.js';
import { Lanes } from './lanes.js';

const QUEUE = 'delivery';
/** Wake-ups that are taken off the queue at a time. */
const CONCURRENCY = 10;
/** Attempts of one organization at a time in this process; Postfix has as many for a destination. */
const LANE_WIDTH = { first: 5, most: 20 };
/** Attempts that are under way when the process is told to end get this long; what is cut off is taken over. */
const PATIENCE_MS = 15_000;
const SWEEP_MS = 1_000;

/** An organization has deliveries that are due, or that a process which is gone has left behind. */
interface WakeUp {
  organizationId: string;
  goneWorker: number | null;
}

/**
 * Wakes deliveries up. The queue carries no truth: what is due stands in the `delivery` table, and a job only names an
 * organization that has some. The sweeper adds every second what a crash, a flushed Redis or a full queue has lost.
 */
@Injectable()
export class DeliveryQueue implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('delivery');
  private readonly queue: JobQueue<WakeUp>;
  private readonly sweeper = new Sweeper(SWEEP_MS, this.log, () => this.addDue());
  private readonly absences = new Absences();
  /** Jobs that were given to the queue and that it has not confirmed yet, by their ids; true: given again meanwhile. */
  private readonly unanswered = new Map<string, boolean>();
  /** Processes that are gone, by the organizations of whose deliveries they had some in hand. */
  private readonly gone = new Map<string, Set<number>>();
  /** Wake-ups that were due at the sweep before. */
  private swept = new Set<string>();
  private readonly lanes = new Lanes(LANE_WIDTH, (organizationId, room) => this.take(organizationId, room));

  constructor(
    private readonly jobs: Jobs,
    private readonly queries: DeliveryQueries,
    private readonly deliveries: Deliveries,
    private readonly presence: Presence,
    private readonly database: Database,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.queue = jobs.queue<WakeUp>(QUEUE);
  }

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.jobs.work<WakeUp>(QUEUE, CONCURRENCY, (job) => this.deliver(job));
    this.sweeper.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweeper.stop();
    // Gone only when nothing is in hand any more, or others would take it over.
    await this.jobs.stopWorking();
    const patience = sleep(PATIENCE_MS, undefined, { ref: false });
    await this.lanes.close(PATIENCE_MS);
    await Promise.race([this.deliveries.settled(), patience]);
    this.presence.leave();
  }

  /** A draft of the organization was just accepted. A process that works has no need of the queue. */
  wake(organizationId: string): void {
    this.database.afterCommit(() => {
      const job = { organizationId, goneWorker: null };
      if (this.roles.worker) this.deliver(job);
      else this.add(job);
    });
  }

  private deliver({ organizationId, goneWorker }: WakeUp): void {
    if (goneWorker !== null)
      this.gone.set(organizationId, (this.gone.get(organizationId) ?? new Set()).add(goneWorker));
    this.lanes.wake(organizationId);
  }

  private async take(organizationId: string, room: number): ReturnType<Deliveries['take']> {
    const gone = this.gone.get(organizationId);
    this.gone.delete(organizationId);
    const taken = await this.deliveries.take(organizationId, room, [...(gone ?? [])]);
    if (gone && taken.more) for (const goneWorker of gone) this.deliver({ organizationId, goneWorker });
    return taken;
  }

  /**
   * What is due a second time is done here, since a queue may take a wake-up and never give it out; and what the queue has
   * not confirmed, since one that is away answers when it is back: a lost Redis delays deliveries by seconds only.
   */
  private async addDue(): Promise<void> {
    const due = await this.queries.organizationsWithDue(now());
    const gone = this.absences.gone(due.flatMap(({ missing_worker }) => missing_worker ?? []));
    const jobs = due
      .map(({ organization_id: organizationId, missing_worker: goneWorker }) => ({
        organizationId,
        goneWorker,
      }))
      .filter(({ goneWorker }) => goneWorker === null || gone.has(goneWorker));
    for (const job of jobs)
      if (this.swept.has(idOf(job)) || this.unanswered.has(idOf(job))) this.deliver(job);
      else this.add(job);
    this.swept = new Set(jobs.map(idOf));
  }

  /** Once at a time, or a queue that is away would gather them; what is given meanwhile is given again in the end. */
  private add(job: WakeUp): void {
    const id = idOf(job);
    if (this.unanswered.has(id)) return void this.unanswered.set(id, true);
    this.unanswered.set(id, false);
    this.queue
      .add(id, job)
      .catch((error: unknown) => this.log.warn(`not woken, the sweeper will: ${String(error)}`))
      .finally(() => {
        const again = this.unanswered.get(id);
        this.unanswered.delete(id);
        // The worker may have looked already when the second draft was accepted.
        if (again) this.add(job);
      });
  }
}

const idOf = ({ organizationId, goneWorker }: WakeUp): string =>
  goneWorker === null ? organizationId : `${organizationId}-${goneWorker}`;
