import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { systemContext } from '#kernel/context.js';
import { Deadline } from '#kernel/deadline.js';
import { type Instant, plusSeconds } from '#kernel/instant.js';
import { WorkerLiveness } from '#database/monitoring/worker-liveness.js';
import { appendTo } from '#event-store/append.js';
import type { Change, Versioned } from '#event-store/change.js';
import { EventStore } from '#event-store/event-store.js';
import { VersionConflict } from '#event-store/refusal.js';
import { Bounces } from './bounces.js';
import type { Claimed } from './claimed.js';
import { onUncertain } from '../delivery.js';
import { draft, type Draft, type DraftEvent, withBounce } from '../draft.js';
import { drafts } from '../drafts.projection.js';
import { DeliveryQueries } from './deliveries.queries.js';

/** Claims deliveries, several of an organization at a time. The claim is on record before the provider is called. */
@Injectable()
export class Claims {
  constructor(
    private readonly store: EventStore,
    private readonly queries: DeliveryQueries,
    private readonly liveness: WorkerLiveness,
    private readonly bounces: Bounces,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Claims at most `limit` drafts of the organization: those due, longest waiting first, then those in the hands of
   * processes that are `gone`. Skips those `inHand` in this process, whose outcome may still be written. `more`: others may
   * be due.
   */
  async take(
    organizationId: string,
    limit: number,
    gone: number[],
    inHand: string[],
  ): Promise<{ claimed: Claimed[]; more: boolean }> {
    const worker = await this.liveness.id();
    const { deliveryTimeoutMs, deliveryLeaseMs } = this.config;
    const deadlines = { attempt: new Deadline(deliveryTimeoutMs), lease: new Deadline(deliveryLeaseMs) };
    const at = await this.store.database.now();
    const time = { ...deadlines, at, began: performance.now() };
    const due = await this.queries.dueDrafts(organizationId, at, limit, gone, inHand);
    if (due.length === 0) return { claimed: [], more: false };
    const bounced = await this.bouncedMeanwhile(organizationId, due);
    const start = ({ state }: Versioned<Draft>): DraftEvent[] => {
      const events = this.start(state, at, worker, gone);
      return state ? withBounce(state, events, bounced.get(state.draft_id) ?? null) : events;
    };
    const claimed = await this.together(organizationId, due, start).catch((error: unknown) => {
      if (error instanceof VersionConflict) return this.oneByOne(organizationId, due, start);
      throw error;
    });
    return { claimed: claimed.map((one) => ({ ...one, time })), more: due.length === limit };
  }

  /** By draft, why mails did not arrive whose worker has gone. It may be long ago that it went. */
  private async bouncedMeanwhile(
    organizationId: string,
    due: Versioned<Draft>[],
  ): Promise<Map<string, string>> {
    const bounced = new Map<string, string>();
    for (const { state } of due) {
      if (state?.delivery.status !== 'sending') continue;
      const failure = await this.bounces.failureOf(this.store.database, organizationId, state);
      if (failure !== null) bounced.set(state.draft_id, failure);
    }
    return bounced;
  }

  private start(state: Draft | null, at: Instant, worker: number, gone: number[]): DraftEvent[] {
    const { deliveryLeaseMs, deliveryMaxAttempts: max_attempts } = this.config;
    const held_by = state?.delivery.worker ?? null;
    return draft.decide(state, {
      type: 'StartDelivery',
      at,
      lease_until: plusSeconds(at, deliveryLeaseMs / 1000),
      worker,
      gone_worker: held_by !== null && gone.includes(held_by) ? held_by : null,
      max_attempts,
      on_uncertain: onUncertain(this.config, state),
    });
  }

  private async together(
    organizationId: string,
    due: Versioned<Draft>[],
    start: (current: Versioned<Draft>) => DraftEvent[],
  ): Promise<Taken[]> {
    const appends = due.map((current) => appendTo(drafts, current.state!.draft_id, current, start(current)));
    const decided = appends.filter(({ events }) => events.length > 0);
    if (decided.length === 0) return [];
    const changes = await this.store.append(systemContext(organizationId), decided);
    return changes.filter(isStarted) as (Change & Taken)[];
  }

  /**
   * Used when somebody else has changed or claimed one of the drafts: the others need not wait for it. When one fails,
   * those claimed before it are kept.
   */
  private async oneByOne(
    organizationId: string,
    due: Versioned<Draft>[],
    start: (current: Versioned<Draft>) => DraftEvent[],
  ): Promise<Taken[]> {
    const claimed: Taken[] = [];
    for (const { state } of due) {
      let started = false;
      const { draft_id } = state!;
      const context = systemContext(organizationId);
      try {
        const taken = await this.store.change(context, drafts, draft_id, (current) => {
          const events = start(current);
          started = events.some(({ type }) => type === 'DeliveryStarted');
          return events;
        });
        if (started) claimed.push(taken as Taken);
      } catch (error) {
        if (claimed.length === 0) throw error;
        break;
      }
    }
    return claimed;
  }
}

type Taken = Omit<Claimed, 'time'>;

const isStarted = ({ events }: Change): boolean => events.some(({ type }) => type === 'DeliveryStarted');
