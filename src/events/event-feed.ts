import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { RowsAtOnce } from '#database/statements/rows-at-once.js';
import { EventStore } from '#event-store/event-store.js';
import type { StoredEvent } from '#kernel/context.js';
import { BEGINNING, type Cursor, isAfter } from '#event-store/feed.js';
import type { FeedFilter, FeedPage } from '#event-store/organization-feed.js';
import { ROOM_OF_PAGE } from '#http/paging/page-size.js';
import { invalid } from '#http/problems/problem.js';
import { LATEST, placeIn, type WantedEvents, wantedEvents } from './asked-events.js';
import { EventFeedResponse, type EventResponse, type ListEventsQuery } from './events.dto.js';
import { readPosition, positionOf } from '#event-store/position.js';
import { untilReadable } from '#event-store/progress.js';
import { presentEnd } from './present-end.js';
import { PublicEvents } from './public-events.js';
import { Waiting } from './waiting.js';

const DEFAULT_LIMIT = 50;
/** Events to read first: 200 large ones would take hundreds of megabytes. */
const FIRST_EVENTS = 50;
const MOST_EVENTS = 200;
/** Pauses between looks while a reader waits: short after a commit of this process, longer for other processes' commits. */
const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

type Direction = 'on' | 'back';

interface Asked extends WantedEvents {
  after: Cursor | null;
  limit: number;
}

/** Reads an organization's events in their public form, and waits for them. */
@Injectable()
export class EventFeed implements BeforeApplicationShutdown {
  private readonly waiting = new Waiting();
  private readonly firstEvents = new RowsAtOnce(FIRST_EVENTS);
  private readonly otherEvents = new RowsAtOnce(MOST_EVENTS);

  constructor(
    private readonly store: EventStore,
    private readonly events: PublicEvents,
  ) {
    store.onCommit((organizationId) => this.waiting.wake(organizationId));
  }

  /** Runs before the server waits for its last requests, so that none of them keeps waiting for events. */
  beforeApplicationShutdown(): void {
    this.waiting.end();
  }

  /**
   * A page of the feed. While it is empty, waits up to `wait` seconds for one, unless the caller goes away; `rests` is called
   * when it begins to wait.
   */
  async read(
    organizationId: string,
    query: ListEventsQuery,
    gone: AbortSignal,
    rests: () => void,
  ): Promise<EventFeedResponse> {
    if (query.before !== undefined) return this.readBack(organizationId, query);
    const asked: Asked = {
      after: placeIn(query.after, 'after'),
      limit: query.limit ?? DEFAULT_LIMIT,
      ...wantedEvents(this.events, query),
    };
    const deadline = performance.now() + (query.wait ?? 0) * 1000;
    for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const page = await this.page(organizationId, asked);
      const left = deadline - performance.now();
      const mayRest = left > 0 && !gone.aborted && this.waiting.hasRoom(organizationId);
      if (page.data.length > 0 || page.has_more || !mayRest) return page;
      rests();
      if (page.next_after !== null) asked.after = readPosition(page.next_after);
      // The feed shows a new commit only after every older transaction has ended, so another look may be needed.
      // A replica may not have yet what this wait is woken for.
      this.store.database.readLatest();
      if (await this.waiting.rest(organizationId, Math.min(pause, left), gone)) pause = SHORTEST_PAUSE_MS / 2;
    }
  }

  /** A page before a place. With that of the end it includes everything committed before the call. */
  private async readBack(
    organizationId: string,
    { before, after, limit = DEFAULT_LIMIT, ...query }: ListEventsQuery,
  ): Promise<EventFeedResponse> {
    if (after !== undefined)
      throw invalid([{ field: 'before', detail: 'cannot be given together with after' }]);
    const { types, recordId } = wantedEvents(this.events, query);
    const end = before === LATEST ? await presentEnd(this.store, this.events, organizationId) : null;
    const place = end ? justAfter(end) : placeIn(before, 'before')!;
    const filter = this.filterOf(types, recordId);
    const { events, next, hasMore } = await this.found(organizationId, place, limit, filter, 'back');
    return {
      data: this.shown(events, types),
      next_after: end && isAfter(end, BEGINNING) ? positionOf(end) : null,
      has_more: hasMore,
      next_before: hasMore ? positionOf(next) : null,
    };
  }

  private filterOf(types: string[] | null, streamId: string | null): FeedFilter {
    return { types: types && this.events.storedTypes(types), streamId, hidden: this.events.hiddenStreams };
  }

  private shown(events: StoredEvent[], types: string[] | null): EventResponse[] {
    return events.flatMap((event) => this.events.show(event, this.events.typeFor(event.type, types)) ?? []);
  }

  /** Reads a page. At the end of the feed it includes everything committed before the call. */
  private async page(
    organizationId: string,
    { after, limit, types, recordId }: Asked,
  ): Promise<EventFeedResponse> {
    const { hiddenStreams: hidden } = this.events;
    const filter = this.filterOf(types, recordId);
    const read = () => this.found(organizationId, after ?? BEGINNING, limit, filter);
    let found = await read();
    if (!found.hasMore && (await untilReadable(this.store.database, organizationId, found.next, hidden)))
      found = await read();
    const { events, next, hasMore } = found;
    const nothing = after === null && next.tx === BEGINNING.tx;
    return {
      data: this.shown(events, types),
      next_after: nothing ? null : positionOf(next),
      has_more: hasMore,
    };
  }

  /** Reads a part first, which shows whether there is room for more. */
  private async found(
    organizationId: string,
    after: Cursor,
    limit: number,
    filter: FeedFilter,
    direction: Direction = 'on',
  ): Promise<FeedPage> {
    const read = async (atOnce: RowsAtOnce, after: Cursor, wanted: number) => {
      const limit = Math.min(wanted, atOnce.of(organizationId));
      const page = await this.store.readOrganization(
        organizationId,
        after,
        { limit, room: ROOM_OF_PAGE },
        filter,
        direction,
      );
      atOnce.learn(organizationId, page.events.length, page.isCutShort);
      return page;
    };
    const first = await read(this.firstEvents, after, Math.min(limit, FIRST_EVENTS));
    const further = limit - first.events.length;
    if (further === 0 || first.events.length < FIRST_EVENTS || !first.hasMore) return first;
    const rest = await read(this.otherEvents, first.next, further);
    return { ...rest, events: [...first.events, ...rest.events] };
  }
}

const justAfter = ({ tx, position }: Cursor): Cursor => ({ tx, position: String(BigInt(position) + 1n) });
