import type { FeedEvent, ParleyError } from '../data/api.js';
import { notify } from '../data/notices.js';
import { addressOf } from '../data/record-address.js';
import { changedQuery, href } from '../data/route.js';
import { reloadAll } from '../data/store.js';
import { exact } from '../format.js';
import { Icon } from '../parts/icon.js';
import { Failed, Skeleton } from '../parts/states.js';
import { words } from '../words/words.js';
import { Json } from './json.js';
import { useActorName } from './use-actor-name.js';

const { events: text } = words;

interface Props {
  event: FeedEvent | undefined;
  error: ParleyError | undefined;
  leave: () => void;
}

/** One event whole, as the API gives it. */
export function EventDetail({ event, error, leave }: Props) {
  return (
    <section class="event-detail" aria-label={text.detail}>
      <div class="event-detail-head">
        <button class="button bare" aria-label={text.key.back} title={text.key.back} onClick={leave}>
          <Icon name="back" />
        </button>
        <h2 class="cut">{event?.type}</h2>
        {event && <Acts event={event} />}
      </div>
      {event && <Facts event={event} />}
      {event && <Json value={event} label={text.json} />}
      {!event && error && <Failed error={error} again={() => void reloadAll('event ')} />}
      {!event && !error && <Skeleton rows={4} height={64} />}
    </section>
  );
}

function Acts({ event }: { event: FeedEvent }) {
  const copy = () =>
    navigator.clipboard.writeText(JSON.stringify(event, null, 2)).then(
      () => notify(text.copied),
      () => notify(text.notCopied),
    );
  return (
    <>
      <a class="button" href={href(['events', event.event_id], changedQuery({ record_id: event.stream.id }))}>
        {text.onlyRecord}
      </a>
      {navigator.clipboard && (
        <button class="button" onClick={() => void copy()}>
          {text.copy}
        </button>
      )}
    </>
  );
}

function Facts({ event: { stream, actor, occurred_at, request_id } }: { event: FeedEvent }) {
  const actorName = useActorName();
  const to = addressOf(stream.type, stream.id);
  return (
    <dl class="facts">
      <dt class="quiet">{text.fact.record}</dt>
      <dd>
        {text.kind[stream.type] ?? stream.type} {to === undefined ? stream.id : <a href={to}>{stream.id}</a>}
      </dd>
      <dt class="quiet">{text.fact.actor}</dt>
      <dd dir="auto">
        {actorName(actor)}
        {actor.id !== null && <span class="quiet small"> {actor.id}</span>}
      </dd>
      <dt class="quiet">{text.fact.time}</dt>
      <dd>{exact(occurred_at)}</dd>
      {request_id !== null && (
        <>
          <dt class="quiet">{text.fact.request}</dt>
          <dd>{request_id}</dd>
        </>
      )}
    </dl>
  );
}
