import { useRef } from 'preact/hooks';
import type { FeedEvent } from '../data/api.js';
import { addressOf } from '../data/record-address.js';
import { changedQuery, go, href, useRoute } from '../data/route.js';
import { useKeys } from '../parts/keys.js';
import { Empty } from '../parts/states.js';
import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';
import { addressOfEvent } from './address.js';
import { EventDetail } from './event-detail.js';
import { EventFilters } from './event-filters.js';
import { EventList } from './event-list.js';
import { useEvent, useFeed } from './use-feed.js';

const { events: text } = words;

/** What happens, as it happens: the list, and one event as JSON; on a small screen one after the other. */
export default function Events() {
  const { path, query } = useRoute();
  const id = path[1] ?? null;
  const isPaused = query.get('follow') === 'off';
  const feed = useFeed(query, isPaused);
  const rows = feed.data?.rows;
  const shown = rows?.find(({ event_id }) => event_id === id);
  const found = useEvent(rows === undefined || shown ? null : id, query.get('of'));
  // Still there when the list has moved on.
  const last = useRef<FeedEvent>(undefined);
  last.current = [shown, found.data, last.current].find((one) => one?.event_id === id);
  const chosen = last.current;
  useTitle(chosen ? `${chosen.type} · ${words.places.events}` : words.places.events);

  const open = (next: FeedEvent | undefined) => next && go(addressOfEvent(next), { replace: id !== null });
  const leave = () => go(href(['events'], changedQuery({ of: null })));
  const step = (by: number) => {
    if (id === null) return open(rows?.[0]);
    const at = rows?.findIndex(({ event_id }) => event_id === id) ?? -1;
    if (at >= 0) open(rows?.[at + by]);
  };
  const pause = () => go(href(path, changedQuery({ follow: isPaused ? null : 'off' })), { replace: true });
  const visit = () => {
    const to = chosen && addressOf(chosen.stream.type, chosen.stream.id);
    if (to !== undefined) go(to);
  };
  useKeys([
    { key: 'j', label: text.key.next, act: () => step(1) },
    { key: 'k', label: text.key.previous, act: () => step(-1) },
    { key: 'Enter', label: text.key.record, act: visit },
    { key: ' ', label: text.key.pause, act: pause },
    { key: 'Escape', label: text.key.back, act: leave },
  ]);
  return (
    <main class={`page events ${id === null ? '' : 'has-detail'}`}>
      <EventFilters isPaused={isPaused} pause={pause} />
      <EventList feed={feed} chosen={id} />
      {id === null ? (
        <Empty title={text.choose}>
          <p>{text.chooseHint}</p>
        </Empty>
      ) : (
        <EventDetail key={id} event={chosen} error={found.error} leave={leave} />
      )}
    </main>
  );
}
