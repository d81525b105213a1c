import type { FeedEvent } from '../data/api.js';
import { addressOf } from '../data/record-address.js';
import { changedQuery, href, useRoute } from '../data/route.js';
import { type Kept, reloadAll } from '../data/store.js';
import { Empty, Failed, Skeleton, Time } from '../parts/states.js';
import { VirtualList } from '../parts/virtual-list.js';
import { words } from '../words/words.js';
import { addressOfEvent } from './address.js';
import { type Feed, MOST } from './feed.js';
import { FILTERS } from './use-feed.js';
import { useActorName } from './use-actor-name.js';

const { events: text } = words;
const ROW = 56;

interface Props {
  feed: Kept<Feed> & { more: (() => void) | null };
  chosen: string | null;
}

export function EventList({ feed: { data, error, more }, chosen }: Props) {
  const { query } = useRoute();
  const actorName = useActorName();
  if (!data && error) return <Failed error={error} again={() => void reloadAll()} />;
  if (!data) return <Skeleton rows={8} height={ROW} />;
  if (data.rows.length === 0) return <Nothing more={more} />;
  return (
    <section class="event-list" aria-label={text.list}>
      <VirtualList
        key={JSON.stringify([...FILTERS, 'before'].map((name) => query.get(name)))}
        label={text.list}
        rows={data.rows}
        height={ROW}
        keyOf={({ event_id }) => event_id}
        chosen={chosen}
        hasMore={more !== null}
        more={() => more?.()}
        draw={(row) => <Row row={row} isChosen={row.event_id === chosen} actor={actorName(row.actor)} />}
        foot={<Foot feed={data} isWhole={more === null} />}
      />
    </section>
  );
}

function Row({ row, isChosen, actor }: { row: FeedEvent; isChosen: boolean; actor: string }) {
  const { type, id } = row.stream;
  const to = addressOf(type, id);
  const name = nameIn(row) ?? id;
  return (
    <div class={`event-row ${isChosen ? 'is-chosen' : ''}`}>
      <span class="row-line">
        <a class="event-type cut" href={addressOfEvent(row)} aria-current={isChosen ? 'true' : undefined}>
          {row.type}
        </a>
        <Time at={row.occurred_at} class="quiet small event-time" />
      </span>
      <span class="row-line small quiet">
        <span class="cut">
          {text.kind[type] ?? type}{' '}
          {to === undefined ? (
            <bdi title={id}>{name}</bdi>
          ) : (
            <a href={to} title={id} dir="auto">
              {name}
            </a>
          )}
        </span>
        <span class="event-actor cut" dir="auto">
          {actor}
        </span>
      </span>
    </div>
  );
}

const NAMES = ['name', 'title', 'subject', 'file_name'];

/** What the record is called, where the event tells it. */
function nameIn({ data }: FeedEvent): string | undefined {
  const told = data as Record<string, unknown>;
  const within = (told['message'] ?? told) as Record<string, unknown>;
  return NAMES.map((name) => within[name]).find((one) => typeof one === 'string' && one !== '') as
    string | undefined;
}

function Nothing({ more }: { more: (() => void) | null }) {
  const { query } = useRoute();
  const isFiltered = FILTERS.some((name) => query.has(name));
  return (
    <Empty title={isFiltered ? text.nothingMatches : text.nothing}>
      <p>{text.nothingHint}</p>
      {more && (
        <button class="button" onClick={more}>
          {text.lookBack}
        </button>
      )}
      {isFiltered && <a href={href(['events'], { org: query.get('org') })}>{text.clear}</a>}
    </Empty>
  );
}

/** What comes before the last one that is shown. */
function Foot({ feed: { rows, before }, isWhole }: { feed: Feed; isWhole: boolean }) {
  if (!isWhole) return null;
  if (before === null) return <p class="event-foot quiet small">{text.first}</p>;
  return (
    <p class="event-foot quiet small">
      {text.most(Math.min(rows.length, MOST))}{' '}
      <a href={href(['events'], changedQuery({ before, of: null }))}>{text.earlier}</a>
    </p>
  );
}
