import { useCalls } from '../data/organization.js';
import { changedQuery, go, href } from '../data/route.js';
import { isOperator } from '../data/session.js';
import { Icon, modalityIcon } from '../parts/icon.js';
import { Empty, Time } from '../parts/states.js';
import { words } from '../words/words.js';
import { to, usePlace } from './address.js';
import { useConfirm } from './confirm.js';
import { Choice } from './form.js';
import { Facts, Missing, Split } from './split.js';
import { StateMark } from './state-mark.js';
import { mayRetry, reloadDeliveries, retried, retry, type Shown, useDeliveries } from './use-deliveries.js';
import { useNames } from './use-organizations.js';

const { deliveries: text } = words.operations;
/** The API tells of so many at most. */
const MOST = 1_000;

const KIND = {
  failed: 'failed',
  uncertain: 'failed',
  retrying: 'waiting',
  queued: 'waiting',
  sending: 'waiting',
} as const;

/** What could not be delivered, and why. */
export function Deliveries() {
  const { query } = usePlace();
  const status = query.get('status');
  const kept = useDeliveries(status);
  const nameOf = useNames();
  const rows = kept.data?.data;
  const titleOf = (row: Shown) =>
    isOperator() ? nameOf(row.organization_id) : (row.recipient ?? row.draft_id);
  return (
    <Split<Shown>
      tab="deliveries"
      label={text.list}
      kept={kept}
      rows={rows}
      again={reloadDeliveries}
      idOf={({ draft_id }) => draft_id}
      head={
        <>
          <Choice
            name="status"
            label={text.status}
            value={status ?? ''}
            options={[['', text.stuck], ...Object.entries(text.state)]}
            onChange={(next) => go(to('deliveries', null, { status: next }))}
          />
          {rows?.length === MOST && <p class="quiet small">{text.most}</p>}
        </>
      }
      empty={<Empty title={status === null ? text.none : text.noneSuch} />}
      draw={(row) => (
        <>
          <span class="row-line">
            <StateMark kind={KIND[row.status]}>{text.state[row.status]}</StateMark>
            <span class="row-name cut" dir="auto">
              {titleOf(row)}
            </span>
            <Icon name={modalityIcon(row.modality)} size={14} />
            <span class="only-read">{words.modality[row.modality] ?? row.modality}</span>
          </span>
          <span class="row-line cut quiet small" dir="auto">
            {row.last_error ?? text.attempts(row.attempts)}
          </span>
        </>
      )}
      detail={(id) => {
        const found = rows?.find(({ draft_id }) => draft_id === id);
        const left = kept.data === undefined ? undefined : retried(id);
        if (found) return <DeliveryDetail of={found} title={titleOf(found)} />;
        return left ? <Retried of={left} title={titleOf(left)} /> : <Missing kept={kept} />;
      }}
    />
  );
}

/** One that is tried again, and has left the list of those that wait for a person. */
const Retried = ({ of, title }: { of: Shown; title: string }) => (
  <>
    <h2 dir="auto">{title}</h2>
    <p role="status">{text.retried}</p>
    <div class="ops-acts">
      <ToConversation of={of} />
    </div>
  </>
);

const ToConversation = ({ of: { conversation_id } }: { of: Shown }) =>
  conversation_id === undefined ? null : (
    <a class="button" href={href(['inbox', conversation_id], changedQuery({ status: null }))}>
      {text.conversation}
    </a>
  );

function DeliveryDetail({ of, title }: { of: Shown; title: string }) {
  const calls = useCalls();
  const { dialog, ask } = useConfirm();
  const again = () => void retry(calls, of);
  const isUncertain = of.status === 'uncertain';
  return (
    <>
      <h2 dir="auto">{title}</h2>
      <StateMark kind={KIND[of.status]}>{text.means[of.status]}</StateMark>
      <Facts
        facts={[
          [text.reason, of.last_error],
          [text.tries, String(of.attempts)],
          [text.next, of.next_attempt_at && <Time at={of.next_attempt_at} />],
          [text.channel, words.modality[of.modality] ?? of.modality],
          [text.draft, of.draft_id],
        ]}
      />
      <div class="ops-acts">
        {mayRetry(of) && (
          <button
            class="button main"
            onClick={() =>
              isUncertain
                ? ask({ title: text.askTitle, text: text.askText, act: text.retry, run: again })
                : again()
            }
          >
            {text.retry}
          </button>
        )}
        <ToConversation of={of} />
      </div>
      {dialog}
    </>
  );
}
