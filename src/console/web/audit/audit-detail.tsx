import type { ComponentChildren } from 'preact';
import type { AuditRecord } from '../data/records.js';
import { changedQuery, href } from '../data/route.js';
import { reload } from '../data/store.js';
import { exact } from '../format.js';
import { HistoryLink } from '../parts/history-link.js';
import { Icon } from '../parts/icon.js';
import { Failed, Skeleton } from '../parts/states.js';
import { words } from '../words/words.js';
import { actorName } from './actor.js';
import { ChangedFields } from './changed-fields.js';
import { nameIn, pageOf } from './records.js';
import { sentenceOf } from './sentence.js';
import { useAuditRecord } from './use-audit.js';
import { useRecordName } from './use-record-name.js';

const { audit: text } = words;

/** One change: who, when, by which request, and every field before and after. */
export function AuditDetail({ id, listed }: { id: string; listed?: AuditRecord }) {
  const { data, error } = useAuditRecord(id, listed);
  return (
    <section class="audit-detail" aria-label={text.detail}>
      {!data && error && <Failed error={error} again={() => void reload(`audited ${id}`)} />}
      {!data && !error && <Skeleton rows={4} height={64} />}
      {data && <Shown of={data} />}
    </section>
  );
}

function Shown({ of }: { of: AuditRecord }) {
  const { record, actor, action_type, occurred_at, key_id, request_id, event_id, reason } = of;
  const name = useRecordName(record.type, record.id) ?? nameIn(of) ?? record.id;
  const page = action_type === 'delete' && of.record.type !== 'response_draft' ? undefined : pageOf(of);
  const only = (filter: string, value: string) => href(['audit'], changedQuery({ [filter]: value }));
  return (
    <>
      <header class="audit-detail-head">
        <a class="button bare back" href={href(['audit'], changedQuery({}))} aria-label={text.key.back}>
          <Icon name="back" />
        </a>
        <h1 dir="auto">
          {sentenceOf(of)}
          {name !== null && ': '}
          {name !== null && (page === undefined ? <bdi>{name}</bdi> : <a href={page}>{name}</a>)}
        </h1>
        {record.id !== null && <HistoryLink of={record.id} class="button slim" />}
      </header>
      <dl class="fact-list">
        <Fact label={text.when}>
          <time dateTime={occurred_at}>{exact(occurred_at)}</time>
        </Fact>
        <Fact label={text.who}>
          {actor.id !== null && actor.type === 'agent' ? (
            <a href={only('agent_id', actor.id)} title={text.onlyThese}>
              {actorName(of)}
            </a>
          ) : (
            actorName(of)
          )}
          {actor.name !== null && <span class="quiet"> {text.actors[actor.type] ?? actor.type}</span>}
        </Fact>
        {reason !== null && <Fact label={text.reason}>{text.reasons[reason]}</Fact>}
        {key_id !== null && (
          <Fact label={text.keyId}>
            <a href={only('key_id', key_id)} title={text.onlyThese}>
              {key_id}
            </a>
          </Fact>
        )}
        {request_id !== null && (
          <Fact label={text.request}>
            <a href={only('request_id', request_id)} title={text.onlyThese}>
              {request_id}
            </a>
          </Fact>
        )}
        {record.id !== null && <Fact label={text.recordId}>{record.id}</Fact>}
        <Fact label={text.event}>{event_id}</Fact>
      </dl>
      <ChangedFields changes={of.changes} action={action_type} />
    </>
  );
}

const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div class="fact">
    <dt class="quiet">{label}</dt>
    <dd>{children}</dd>
  </div>
);
