import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { EventStore } from '#event-store/event-store.js';
import { BEGINNING, type Cursor } from '#event-store/feed.js';
import type { Admission } from '#http/access/caller.js';
import { fewInASecond } from '#http/request-log.js';
import { invalid } from '#http/problems/problem.js';
import type { EventStream } from '#http/streams/event-stream.js';
import { LATEST, placeIn, type WantedEvents, wantedEvents } from '../asked-events.js';
import type { ListEventsQuery } from '../events.dto.js';
import { presentEnd } from '../present-end.js';
import { PublicEvents } from '../public-events.js';
import { Waiting } from '../waiting.js';
import { Follower } from './follower.js';
import { Frames } from './frames.js';
import { type FeedReader, LiveFeed } from './live-feed.js';

interface AskedLive extends WantedEvents {
  after: Cursor;
}

/** Read at once for all who follow; and by one who is behind, whose memory it takes until it is read. */
const LIVE = { limit: 200, room: 256 * 1024 };
const OWN = { limit: 50, room: 64 * 1024 };

const TICK_MS = 1_000;
/** Sessions, which are looked up in the database, may tell for as long after their end, and no longer than a second. */
const SESSIONS_MS = 700;
/** Keys are looked at so often that what happens a second after a revocation is not told: other processes know of it after 0.4 s. */
const KEYS_MS = 200;

/** Sends organizations' events as they happen. */
@Injectable()
export class LiveEvents implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger('live events');
  private readonly mayTell = fewInASecond(1);
  private readonly waiting = new Waiting();
  private readonly feeds = new Map<string, { feed: LiveFeed; users: number }>();
  private readonly followers = new Set<Follower>();
  private timers: NodeJS.Timeout[] = [];
  private hasEnded = false;

  constructor(
    private readonly store: EventStore,
    private readonly events: PublicEvents,
  ) {
    store.onCommit((organizationId) => this.waiting.wake(organizationId));
  }

  onModuleInit(): void {
    this.timers = [
      setInterval(() => this.tick(), TICK_MS).unref(),
      setInterval(() => void this.endUnless((admission) => admission.holds()), SESSIONS_MS).unref(),
      setInterval(() => void this.endUnless((admission) => admission.keyHolds()), KEYS_MS).unref(),
    ];
  }

  /** Runs before the server waits for its last requests. Readers go on elsewhere, from the last event that they have. */
  beforeApplicationShutdown(): void {
    this.hasEnded = true;
    for (const timer of this.timers) clearInterval(timer);
    for (const { stream } of this.followers) stream.end();
  }

  /**
   * What a request asks for. Throws 400 for places that are none, for `before`, and for types that there are not. Find out before the answer
   * begins: what happens once the reader has its head comes next for the reader.
   */
  async asked(
    organizationId: string,
    query: ListEventsQuery,
    lastEventId: string | string[] | undefined,
  ): Promise<AskedLive> {
    if (query.before !== undefined)
      throw invalid([{ field: 'before', detail: 'a stream of events goes on and not back' }]);
    const wanted = wantedEvents(this.events, query);
    const last = placeIn(lastEventId?.toString(), 'Last-Event-ID');
    if (last !== null) return { ...wanted, after: last };
    if (query.after === LATEST)
      return { ...wanted, after: await presentEnd(this.store, this.events, organizationId) };
    return { ...wanted, after: placeIn(query.after, 'after') ?? BEGINNING };
  }

  /** Sends what was asked for, until either side ends it. */
  async follow(
    organizationId: string,
    stream: EventStream,
    { after, ...wanted }: AskedLive,
    admission: Admission,
  ): Promise<void> {
    if (this.hasEnded) return stream.end();
    const own = this.feeds.get(organizationId) ?? {
      feed: new LiveFeed(this.readerOf(organizationId)),
      users: 0,
    };
    this.feeds.set(organizationId, own);
    own.users++;
    const follower = new Follower(stream, wanted, admission, after);
    follower.comment();
    this.followers.add(follower);
    try {
      // What is read is for all who follow, and begins with what they are woken for.
      await this.store.database.onPrimary(() => this.keepUp(organizationId, follower, own.feed));
    } catch (error) {
      // The head of the answer has left, so there is no other way to tell: the reader asks again, from where it is.
      if (this.mayTell()) this.log.warn(`streams of events end: ${String(error)}`);
    } finally {
      stream.end();
      this.followers.delete(follower);
      if (--own.users === 0) {
        own.feed.stop();
        this.feeds.delete(organizationId);
      }
    }
  }

  /** Follows the feed, and each time that the reader falls behind reads for it alone, as fast as it takes the events. */
  private async keepUp(organizationId: string, follower: Follower, feed: LiveFeed): Promise<void> {
    const { stream } = follower;
    while (!stream.gone.aborted) {
      // What is for others may lie between the reader's last event and this place.
      const reached = await feed.reached();
      await this.catchUp(organizationId, follower);
      follower.moveTo(reached);
      await feed.follow(follower);
      await stream.caughtUp();
    }
  }

  private async catchUp(organizationId: string, follower: Follower): Promise<void> {
    const { stream, wanted } = follower;
    for (let hasMore = true; hasMore && !stream.gone.aborted;) {
      const page = await this.read(organizationId, follower.place, OWN, wanted);
      follower.send(page.frames, page.next);
      ({ hasMore } = page);
      await stream.caughtUp();
    }
  }

  private readerOf(organizationId: string): FeedReader {
    return {
      end: async () => (await this.store.endOfOrganization(organizationId)) ?? BEGINNING,
      after: async (place) => {
        const page = await this.read(organizationId, place, LIVE, { types: null, recordId: null });
        return { ...page, isEmpty: page.next === place };
      },
      rest: (milliseconds, gone) => this.waiting.rest(organizationId, milliseconds, gone),
    };
  }

  private async read(
    organizationId: string,
    after: Cursor,
    limits: { limit: number; room: number },
    { types, recordId }: WantedEvents,
  ): Promise<{ frames: Frames; next: Cursor; hasMore: boolean }> {
    const filter = {
      types: types && this.events.storedTypes(types),
      streamId: recordId,
      hidden: this.events.hiddenStreams,
    };
    const { events, next, hasMore } = await this.store.readOrganization(
      organizationId,
      after,
      limits,
      filter,
    );
    // Who is told of an event reads what has changed.
    if (events.length > 0) await this.store.database.untilReplicated();
    return { frames: new Frames(events, this.events), next, hasMore };
  }

  private tick(): void {
    const now = performance.now();
    for (const follower of this.followers) follower.comment(now);
  }

  /** Ends what is read with keys and sessions that are valid no more. Each is looked at once, whoever uses it. */
  private async endUnless(holds: (admission: Admission) => Promise<boolean>): Promise<void> {
    const admissions = new Map([...this.followers].map(({ admission }) => [admission.by, admission]));
    const looked = [...admissions.values()].map(async (admission) => {
      // A key that cannot be looked up may have been revoked: its reader asks again.
      if (await holds(admission).catch(() => false)) return;
      for (const { admission: one, stream } of this.followers) if (one.by === admission.by) stream.end();
    });
    await Promise.all(looked);
  }
}
