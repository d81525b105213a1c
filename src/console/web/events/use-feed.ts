import { useEffect, useRef } from 'preact/hooks';
import { type FeedEvent, ParleyError } from '../data/api.js';
import { type Calls, useCalls } from '../data/organization.js';
import { type Kept, patch, reload, seen, useKept } from '../data/store.js';
import { type EventPage, type Feed, MOST, readBack, readLatest, readOn, type ReadPage } from './feed.js';

/** The filters of the page, by their names in the address and in the API alike. */
export const FILTERS = ['types', 'record_id'] as const;

const reader =
  (calls: Calls, filters: Record<string, string>): ReadPage =>
  (query) =>
    calls.GET<EventPage>('/events', { params: { query: { ...filters, ...query } } });

/** The latest events, kept up with unless it is paused; or those before a chosen one. */
export function useFeed(
  query: URLSearchParams,
  isPaused: boolean,
): Kept<Feed> & { more: (() => void) | null } {
  const calls = useCalls();
  const paused = useRef(isPaused);
  paused.current = isPaused;
  const asked = useRef<string | null>(null);
  const filters = Object.fromEntries(
    FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : [])),
  );
  const chosen = query.get('before');
  const read = reader(calls, filters);
  const key = `${chosen === null ? 'events' : 'past'} ${JSON.stringify({ ...filters, chosen })}`;
  const kept = useKept<Feed>(key, async () => {
    const before = seen<Feed>(key);
    if (!before) return readLatest(read, chosen);
    if (chosen !== null || paused.current) return before;
    return readOn(read, before);
  });
  const wasPaused = useRef(isPaused);
  useEffect(() => {
    if (wasPaused.current && !isPaused) void reload(key);
    wasPaused.current = isPaused;
  }, [isPaused]);
  const { data } = kept;
  const hasRoom = data !== undefined && data.before !== null && data.rows.length < MOST;
  const more = () => {
    if (asked.current === data!.before) return;
    asked.current = data!.before;
    readBack(read, data!).then(
      ({ rows, before }) => {
        const earlier = rows.slice(data!.rows.length);
        patch<Feed>(key, (now) =>
          now.before === data!.before ? { ...now, rows: [...now.rows, ...earlier], before } : now,
        );
        void reload(key);
      },
      () => (asked.current = null),
    );
  };
  return { ...kept, more: hasRoom ? more : null };
}

/** An event that is not among those shown, found among those of its record. */
export function useEvent(id: string | null, recordId: string | null): Kept<FeedEvent> {
  const calls = useCalls();
  return useKept(id && `event ${id}`, async () => {
    const read = reader(calls, { record_id: recordId ?? '' });
    let page: EventPage | undefined;
    do {
      page = await read({ after: page?.next_after ?? null, limit: 200 });
      const found = page.data.find(({ event_id }) => event_id === id);
      if (found) return found;
    } while (page.has_more);
    throw new ParleyError(404, { code: 'not_found', detail: '' });
  });
}
