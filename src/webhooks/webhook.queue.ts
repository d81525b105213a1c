import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ROLES, type Roles } from '#config/roles.js';
import { Database } from '#database/database.js';
import { Absences, WorkerLiveness } from '#database/monitoring/worker-liveness.js';
import { type JobQueue, Jobs } from '#jobs/jobs.js';
import { DueWork } from '#jobs/due-work.js';
import { Sweeper } from '#jobs/sweeper.js';
import { DUE_WEBHOOKS, type DueWebhook, LaneQueries } from './lanes.queries.js';
import { Sender } from './sender.js';

const QUEUE = 'webhooks';
/** Jobs end at once, as each only starts its webhook's lane. */
const CONCURRENCY = 50;
const SWEEP_LIMIT = 500;
/** Time for deliveries under way when the process is told to end. */
const PATIENCE_MS = 5_000;

/**
 * Starts the lanes of webhooks. Each has its own, so that a slow endpoint holds up no other. The queue is not the truth:
 * the table `webhook_delivery` says what is due, and each working process looks every second for due webhooks that nobody
 * serves.
 */
@Injectable()
export class WebhookQueue implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('webhooks');
  private readonly queue: JobQueue<DueWebhook>;
  private readonly sweeper = new Sweeper(this.log, () => this.runDue());
  private readonly absences = new Absences();
  private closed = false;
  /** Webhooks whose lanes run here; true when somebody has woken them again since. */
  private readonly running = new Map<string, boolean>();
  /** Webhooks with a job that the queue has not confirmed yet. */
  private readonly unanswered = new Set<string>();

  constructor(
    private readonly jobs: Jobs,
    private readonly dueWork: DueWork,
    private readonly queries: LaneQueries,
    private readonly sender: Sender,
    private readonly liveness: WorkerLiveness,
    private readonly database: Database,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.queue = jobs.queue<DueWebhook>(QUEUE);
  }

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.jobs.work<DueWebhook>(QUEUE, CONCURRENCY, (due) => this.run(due));
    this.dueWork.add({ name: 'webhooks', due: DUE_WEBHOOKS, sweeper: this.sweeper });
  }

  /** Runs before the application shuts down: lanes are held under the process's sign of life, which ends then. */
  async beforeApplicationShutdown(): Promise<void> {
    this.closed = true;
    this.sender.close();
    await this.sweeper.stop();
    const until = performance.now() + PATIENCE_MS;
    while (this.running.size > 0 && performance.now() < until) await sleep(20);
    this.sender.breakOff();
    while (this.running.size > 0 && performance.now() < until + PATIENCE_MS) await sleep(20);
  }

  /** Has a working process send what is due to the webhook, once that is committed. */
  wake(organizationId: string, webhookId: string): void {
    this.database.afterCommit(() => this.addJob(organizationId, webhookId));
  }

  private addJob(organizationId: string, webhookId: string): void {
    if (this.unanswered.has(webhookId)) return;
    this.unanswered.add(webhookId);
    this.queue
      .add(`${webhookId}-${randomUUID()}`, {
        organization_id: organizationId,
        webhook_id: webhookId,
        gone_worker: null,
      })
      .catch((error: unknown) => this.log.warn(`not woken, the sweeper will: ${String(error)}`))
      .finally(() => this.unanswered.delete(webhookId));
  }

  private async runDue(): Promise<void> {
    const worker = await this.liveness.id();
    // Leaves out those that run here: otherwise many that hang would hide the others.
    const due = await this.queries.dueWebhooks(worker, [...this.running.keys()], SWEEP_LIMIT);
    const gone = this.absences.gone(due.flatMap(({ gone_worker }) => gone_worker ?? []));
    for (const one of due)
      if (!this.running.has(one.webhook_id) && (one.gone_worker === null || gone.has(one.gone_worker)))
        this.run(one);
  }

  private run(due: DueWebhook): void {
    const { webhook_id } = due;
    if (this.closed) return;
    if (this.running.has(webhook_id)) return void this.running.set(webhook_id, true);
    this.running.set(webhook_id, false);
    void this.sender
      .drain(due)
      .catch((error: unknown) => this.log.warn(`${webhook_id}: ${String(error)}`))
      .finally(() => {
        const again = this.running.get(webhook_id);
        this.running.delete(webhook_id);
        if (again) this.run(due);
      });
  }
}
