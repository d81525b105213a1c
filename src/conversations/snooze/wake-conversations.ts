import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ROLES, type Roles } from '#config/roles.js';
import { appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { groupBy } from '#event-store/group-by.js';
import { type JobQueue, Jobs } from '#jobs/jobs.js';
import { DueWork } from '#jobs/due-work.js';
import { Sweeper } from '#jobs/sweeper.js';
import { systemContext } from '#kernel/context.js';
import type { Instant } from '#kernel/instant.js';
import { conversation } from '../conversation.js';
import type { Conversation } from '../conversation-state.js';
import { conversations } from '../conversations.projection.js';
import { DUE_CONVERSATIONS, SnoozedConversations } from './snoozed-conversations.queries.js';

const QUEUE = 'snooze';
/** Found at once, in all and of an organization; the latter are woken in one transaction, so many organizations side by side. */
const MOST = 1_000;
const MOST_EACH = 100;
const SIDE_BY_SIDE = 4;
/** Milliseconds that the others wait for one that somebody else has locked. */
const PATIENCE_MS = 1_000;

/** What a job names, for those who look at the queue. */
interface Snoozed {
  organizationId: string;
}

/**
 * How a snoozed conversation wakes up. Its row says when. A delayed BullMQ job has a worker ask for the rows whose instant has come
 * by the database's clock, and each worker asks every second besides: so what a crash or a flushed queue leaves is found by whoever
 * comes next, and a job has not to be taken back when somebody opens, closes or snoozes it anew: it finds nothing. Each conversation
 * is decided on again under the lock of its stream: of two workers one finds it open already, and a change by people, or a message,
 * comes before the waking or after it.
 */
@Injectable()
export class WakeConversations implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('snooze');
  private readonly sweeper = new Sweeper(this.log, () => this.wakeDue());
  private readonly queue: JobQueue<Snoozed>;
  private closed = false;

  constructor(
    private readonly store: EventStore,
    private readonly snoozed: SnoozedConversations,
    private readonly jobs: Jobs,
    private readonly dueWork: DueWork,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.queue = jobs.queue<Snoozed>(QUEUE);
  }

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.jobs.work<Snoozed>(QUEUE, 1, () => this.sweeper.sweep());
    this.dueWork.add({ name: 'snooze', due: DUE_CONVERSATIONS, sweeper: this.sweeper });
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    await this.sweeper.stop();
  }

  /** Tells that conversations of the organization are snoozed until an instant, once that is committed. */
  wakeAt(organizationId: string, instant: Instant): void {
    const id = `${organizationId}-${Date.parse(instant)}`;
    this.store.database.afterCommit(() => this.queue.addAt(instant, id, { organizationId }));
  }

  /** Goes on until nothing is left that is due, or could be woken. */
  private async wakeDue(): Promise<void> {
    let woken = 0;
    do {
      const due = await this.snoozed.due(MOST, MOST_EACH);
      const groups = groupBy(due, ({ organization_id }) => organization_id).values();
      woken = 0;
      const lane = async () => {
        for (const [organizationId, group] of groups)
          woken += await this.wake(
            organizationId,
            group.map(({ conversation_id }) => conversation_id),
          );
      };
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
    } while (woken > 0 && !this.closed);
  }

  /** Wakes those of the organization's conversations that are still due, in one transaction; how many. Never throws. */
  private async wake(organizationId: string, ids: string[]): Promise<number> {
    if (this.closed) return 0;
    try {
      const at = await this.store.database.now();
      return await this.store.exclusively(
        organizationId,
        ids,
        async (tx) => {
          const present = await this.store.loadAll<Conversation>(tx, organizationId, conversations, ids);
          const appends = [...present].flatMap(([id, current]) => {
            const events = conversation.decide(current.state, { type: 'WakeConversation', at });
            return events.length > 0 ? [appendTo(conversations, id, current, events)] : [];
          });
          if (appends.length > 0) await this.store.appendIn(tx, systemContext(organizationId), appends);
          return appends.length;
        },
        PATIENCE_MS,
      );
    } catch (error) {
      this.log.warn(`not woken, the next round will: ${organizationId}: ${String(error)}`);
      return 0;
    }
  }
}
