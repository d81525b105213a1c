import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '#database/database.js';
import { Absences, WorkerLiveness } from '#database/monitoring/worker-liveness.js';
import { type JobQueue, Jobs } from '#jobs/jobs.js';
import { DueWork } from '#jobs/due-work.js';
import { Sweeper } from '#jobs/sweeper.js';
import { ROLES, type Roles } from '#config/roles.js';
import { Deliveries } from './deliveries.js';
import { DeliveryQueries, DUE_DELIVERIES } from './deliveries.queries.js';
import { Lanes } from './lanes.js';

const QUEUE = 'delivery';
/** Wake-ups handled at a time. */
const CONCURRENCY = 10;
/** Attempts of one organization at a time in this process; Postfix allows as many for a destination. */
const LANE_WIDTH = { first: 5, most: 20 };
/** Time for attempts under way when the process is told to end. Other processes take over what is cut off. */
const PATIENCE_MS = 15_000;

/** An organization with due deliveries, or with deliveries left behind by the process `goneWorker`. */
interface WakeUp {
  organizationId: string;
  goneWorker: number | null;
}

/**
 * Starts deliveries. The queue is not the truth: the `delivery` table says what is due, and a job only names an
 * organization. Every second the sweeper adds again what a crash, a flushed Redis or a full queue has lost.
 */
@Injectable()
export class DeliveryQueue implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('delivery');
  private readonly queue: JobQueue<WakeUp>;
  private readonly sweeper = new Sweeper(this.log, () => this.addDue());
  private readonly absences = new Absences();
  /** Ids of jobs that the queue has not confirmed yet; true when the job was added again meanwhile. */
  private readonly unanswered = new Map<string, boolean>();
  /** Processes that are gone, by the organizations whose deliveries they had in hand. */
  private readonly gone = new Map<string, Set<number>>();
  /** Ids of the jobs that were due at the previous sweep. */
  private swept = new Set<string>();
  private readonly lanes = new Lanes(LANE_WIDTH, (organizationId, room) => this.take(organizationId, room));

  constructor(
    private readonly jobs: Jobs,
    private readonly dueWork: DueWork,
    private readonly queries: DeliveryQueries,
    private readonly deliveries: Deliveries,
    private readonly liveness: WorkerLiveness,
    private readonly database: Database,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.queue = jobs.queue<WakeUp>(QUEUE);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.roles.worker) return;
    // Before requests are answered, so that a process that is its own worker is never without one.
    await this.liveness
      .id()
      .catch((error: unknown) => this.log.warn(`no sign of life yet: ${String(error)}`));
    this.jobs.work<WakeUp>(QUEUE, CONCURRENCY, (job) => this.deliver(job));
    this.dueWork.add({ name: 'delivery', due: DUE_DELIVERIES, sweeper: this.sweeper });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweeper.stop();
    // Leave only when nothing is in hand any more: other processes take over the deliveries of one that has left.
    await this.jobs.stopWorking();
    const patience = sleep(PATIENCE_MS, undefined, { ref: false });
    await this.lanes.close(PATIENCE_MS);
    await Promise.race([this.deliveries.settled(), patience]);
    this.liveness.leave();
  }

  /** Tells that a draft of the organization was accepted. A working process needs no queue for that. */
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
   * Delivers in this process what was due at the previous sweep already, since a queue may take a job and never hand it
   * out; and what the queue has not confirmed, since a queue that is away answers only when it is back. So losing Redis
   * delays deliveries by seconds only.
   */
  private async addDue(): Promise<void> {
    const due = await this.queries.organizationsWithDue();
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

  /** Adds a job once at a time, or jobs would pile up while the queue is away. One asked for meanwhile is added afterwards. */
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
        // The worker may have looked before the second draft was accepted.
        if (again) this.add(job);
      });
  }
}

const idOf = ({ organizationId, goneWorker }: WakeUp): string =>
  goneWorker === null ? organizationId : `${organizationId}-${goneWorker}`;
