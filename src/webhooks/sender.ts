import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { WorkerLiveness } from '#database/monitoring/worker-liveness.js';
import { isCutShort } from '#database/statements/statement.js';
import { BatchSize } from '#event-store/batch-size.js';
import { EventStore } from '#event-store/event-store.js';
import { groupBy } from '#event-store/group-by.js';
import { now } from '#kernel/instant.js';
import { PublicEvents } from '../events/events.contract.js';
import { Vault } from '../workspace/workspace.contract.js';
import { type Claimed, type DueDelivery, type DueWebhook, LaneQueries } from './lanes.queries.js';
import { Poster } from './poster.js';
import { afterTry, type Health, type PausedBecause, type Reply, withdrawn } from './retries.js';
import { NOT_SIGNED, type Secrets, signedHeaders } from './signing.js';

const BATCH = 50;
/** With this many due deliveries a webhook is behind: then several are sent at a time, those of one record still in order. */
const BEHIND = 20;
const WIDTH = 8;
/** Bytes of events that a lane holds at a time, unless a single one has more: an endpoint that hangs has them held for long. */
const ROOM = 4 * 2 ** 20;

/** A webhook's lane, held by this process. */
interface Lane {
  claimed: Claimed;
  /** Null when another key has sealed them. */
  secrets: Secrets | null;
  health: Health;
  /** How many events to read next. */
  size: BatchSize;
  /** Whether more may be sent: false once the lane is lost, the webhook paused or its endpoint at rest. */
  open: boolean;
  /** Why it is paused from here on; no answer to what was under way beside a 410 takes that back. */
  pause: PausedBecause | null;
  /** Writes go one after the other, so that the latest word on the endpoint's health is kept. */
  written: Promise<unknown>;
}

/** Sends due deliveries to webhooks. */
@Injectable()
export class Sender {
  private closing = false;
  private cut = false;

  constructor(
    private readonly queries: LaneQueries,
    private readonly store: EventStore,
    private readonly events: PublicEvents,
    private readonly poster: Poster,
    private readonly vault: Vault,
    private readonly liveness: WorkerLiveness,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Sends a webhook's due deliveries in the order of the feed, until none is due or another process has the lane. */
  async drain(due: DueWebhook): Promise<void> {
    if (this.closing) return;
    const worker = await this.liveness.id();
    const claimed = await this.queries.claim(due, worker);
    if (!claimed) return;
    try {
      const lane = this.laneOf(claimed);
      while (lane.open && !this.closing && (await this.sendBatch(lane)));
    } finally {
      await this.queries.release(claimed);
    }
  }

  private laneOf(claimed: Claimed): Lane {
    const secrets = this.vault.openIfOurs<Secrets>(claimed.secrets, claimed.webhook_id);
    const { failures, failing_since, resting_until } = claimed;
    const health = { failures, failing_since, resting_until };
    const size = new BatchSize(BATCH, WIDTH);
    return { claimed, secrets, health, size, open: true, pause: null, written: Promise.resolve() };
  }

  /** Begins no more deliveries. */
  close(): void {
    this.closing = true;
  }

  /** Breaks off deliveries under way; they count as not begun and are sent again. */
  breakOff(): void {
    this.cut = true;
    this.poster.close();
  }

  /** Gives false when nothing was due. When a try cannot be recorded, waits for those beside it to end, then throws. */
  private async sendBatch(lane: Lane): Promise<boolean> {
    const due = await this.queries.due(lane.claimed, BATCH);
    if (due.length === 0) return false;
    const { batch, bodies } = await this.readFirst(lane, due);
    const isBehind = due.length >= BEHIND;
    const rows = isBehind
      ? groupBy(batch, ({ stream_id }) => stream_id).map(([, row]) => row)
      : batch.map((one) => [one]);
    const sendRows = async () => {
      for (let row = rows.shift(); row; row = rows.shift())
        for (const delivery of row)
          if (lane.open && !this.closing) await this.send(lane, delivery, bodies.get(delivery.event_id));
    };
    const sent = Array.from({ length: isBehind ? WIDTH : 1 }, () =>
      sendRows().catch((error: unknown) => {
        lane.open = false;
        throw error;
      }),
    );
    await Promise.allSettled(sent);
    await Promise.all(sent);
    return true;
  }

  /** As much of what is due as there is room for, and the bodies to send, by event id: events as the feed shows them. */
  private async readFirst(
    { claimed, size }: Lane,
    due: DueDelivery[],
  ): Promise<{ batch: DueDelivery[]; bodies: Map<string, string> }> {
    const wanted = due.slice(0, size.current);
    const places = wanted.map(({ stream_id, stream_version: version }) => ({ stream_id, version }));
    const events = await this.store.readAt(claimed.organization_id, places, ROOM);
    size.learn(events);
    const types = new Map(wanted.map(({ event_id, type }) => [event_id, type]));
    const shown = events.flatMap((event) => this.events.show(event, types.get(event.event_id)) ?? []);
    return {
      batch: isCutShort(events) ? wanted.slice(0, events.length) : wanted,
      bodies: new Map(shown.map((event) => [event.event_id, JSON.stringify(event)])),
    };
  }

  private async send(lane: Lane, delivery: DueDelivery, body: string | undefined): Promise<void> {
    const { failures } = lane.health;
    const reply = body === undefined ? NOT_SHOWN : await this.post(lane, delivery.event_id, body);
    if (this.cut && reply.status_code === null) return;
    const at = await this.store.database.now();
    const attempts = delivery.attempts + 1;
    const policy = { baseMs: this.config.webhookRetryBaseMs, random: Math.random() };
    const outcome =
      body === undefined
        ? withdrawn(attempts, lane.health)
        : afterTry(attempts, reply, lane.health, at, policy, failures);
    lane.health = outcome.health;
    if (lane.pause !== 'gone') lane.pause = outcome.pause;
    if (lane.pause !== null || outcome.health.resting_until !== null) lane.open = false;
    const { pause } = lane;
    const record = () => this.queries.record(lane.claimed, delivery, { reply, at, ...outcome, pause });
    const recorded = lane.written.then(record);
    lane.written = recorded.catch(() => {});
    if (!(await recorded)) lane.open = false;
  }

  private async post({ claimed, secrets }: Lane, eventId: string, body: string): Promise<Reply> {
    if (secrets === null) return NOT_SIGNED;
    return this.poster.post(claimed.url, signedHeaders(secrets, eventId, now(), body), body);
  }
}

/** Stands in for an answer when this release does not show events that an earlier one did. */
const NOT_SHOWN: Reply = {
  status_code: null,
  error: 'events of this type are not shown any more',
  retry_after_seconds: null,
  duration_ms: 0,
};
