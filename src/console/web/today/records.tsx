import { useEffect, useRef } from 'preact/hooks';
import { href, useRoute } from '../data/route.js';
import { exact, moment, money } from '../format.js';
import { useAgents } from '../inbox/use-conversations.js';
import { Icon } from '../parts/icon.js';
import { Empty, Failed, Skeleton, Time } from '../parts/states.js';
import { VirtualList } from '../parts/virtual-list.js';
import { words } from '../words/words.js';
import { type Behind, closeRecords, recordsHref } from './address.js';
import type { Figure } from './answers.js';
import { daysOfSpan, duration } from './numbers.js';
import { useStages } from './use-figures.js';
import { type NamedRecord, useRecords } from './use-records.js';

const { records: text, figure: figures } = words.today;
const ROW = 64;

/** Figures that are looked at together, such as the two that a rate is of. */
const FAMILIES: Figure[][] = [
  ['numMessagesReceived', 'numMessagesSent'],
  ['numConversationsReceived', 'numConversationsRespondedTo'],
  ['totalConversations', 'emails', 'textMessages', 'calls', 'liveChats', 'formRequests'],
  ['conversationsRespondedTo', 'messagesSent'],
  ['salesCreated', 'salesAccepted'],
];

/** The records behind a figure, beside the page. */
export function Records({ behind }: { behind: Behind }) {
  const { figure, agent_id, status_id } = behind;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    heading.current?.focus();
    return () => opener?.focus();
  }, []);
  const family = FAMILIES.find((one) => one.includes(figure)) ?? [];
  return (
    <aside class="behind" aria-label={figures[figure]}>
      <div class="behind-head">
        <h2 ref={heading} tabIndex={-1}>
          {figures[figure]}
        </h2>
        <button class="button bare" aria-label={text.close} title={text.close} onClick={closeRecords}>
          <Icon name="close" />
        </button>
        <Of behind={behind} />
        {family.length > 0 && (
          <nav aria-label={figures[figure]} class="behind-family">
            {family.map((one) => (
              <a
                key={one}
                href={recordsHref(one, behind, { agent_id, status_id })}
                aria-current={one === figure ? 'true' : undefined}
              >
                {figures[one]}
              </a>
            ))}
          </nav>
        )}
      </div>
      <List key={JSON.stringify(behind)} behind={behind} />
    </aside>
  );
}

/** From when until when, and of which agent or stage. */
function Of({ behind: { start_date, end_date, agent_id, status_id } }: { behind: Behind }) {
  const agent = useAgents().find((one) => one.agent_id === agent_id);
  const stage = useStages().data?.find((one) => one.status_id === status_id);
  return (
    <p class="quiet small">
      {[agent && text.of(agent.name), stage?.label].filter(Boolean).map((part) => `${part}, `)}
      <span title={`${exact(start_date)} – ${exact(end_date)}`}>{daysOfSpan({ start_date, end_date })}</span>
    </p>
  );
}

function List({ behind }: { behind: Behind }) {
  const { data, error, more, again } = useRecords(behind);
  if (!data && error) return <Failed error={error} again={again} />;
  if (!data) return <Skeleton rows={6} height={ROW} />;
  if (data.rows.length === 0)
    return (
      <Empty title={text.none}>
        <p>{text.noneHint}</p>
      </Empty>
    );
  return (
    <VirtualList
      label={figures[behind.figure]}
      rows={data.rows}
      height={ROW}
      keyOf={({ message_id, sale_id, conversation_id }) => message_id ?? sale_id ?? conversation_id!}
      chosen={null}
      hasMore={data.next !== null}
      more={more}
      draw={(row) => <Row row={row} />}
    />
  );
}

function Row({ row }: { row: NamedRecord }) {
  const { query } = useRoute();
  const org = query.get('org');
  const { name, about, at, sale_id, conversation_id, response_seconds, left_at, total_price, currency } = row;
  const to = sale_id === undefined ? ['inbox', conversation_id!] : ['pipeline', sale_id];
  return (
    <a class="behind-row" href={href(to, { org })}>
      <span class="row-line">
        <span class="row-name cut" dir="auto">
          {name ?? text.gone}
        </span>
        <Time at={at} class="quiet small" />
      </span>
      <span class="row-line small quiet">
        <span class="row-name cut" dir="auto">
          {about}
        </span>
        {response_seconds !== undefined && <span>{text.answeredIn(duration(response_seconds))}</span>}
        {left_at !== undefined && (
          <span title={left_at === null ? undefined : exact(left_at)}>
            {left_at === null ? text.stillThere : text.left(moment(left_at))}
          </span>
        )}
        {total_price && currency && <span>{money(total_price, currency)}</span>}
      </span>
    </a>
  );
}
