import { useEffect, useRef } from 'preact/hooks';
import type { AuditRecord } from '../data/records.js';
import { changedQuery, href, useRoute } from '../data/route.js';
import { reloadAll } from '../data/store.js';
import { useNames } from '../operations/use-organizations.js';
import { Icon } from '../parts/icon.js';
import { Empty, Failed, Skeleton, Time } from '../parts/states.js';
import { VirtualList } from '../parts/virtual-list.js';
import { isolated } from '../words/isolated.js';
import { words } from '../words/words.js';
import { actorName } from './actor.js';
import { nameIn } from './records.js';
import { sentenceOf } from './sentence.js';
import { shortChange } from './short-value.js';
import { filtersOf, useAudit } from './use-audit.js';
import { useRecordName } from './use-record-name.js';

const { audit: text } = words;
const ROW = 64;

interface Props {
  chosen: string | null;
  isFollowing: boolean;
  follow: () => void;
  tellRows: (rows: AuditRecord[]) => void;
}

export function AuditList({ chosen, isFollowing, follow, tellRows }: Props) {
  const { query } = useRoute();
  const filters = filtersOf(query);
  const key = JSON.stringify(filters);
  const { data, error, more } = useAudit(filters);
  useEffect(() => tellRows(data?.rows ?? []), [data]);
  const fresh = useFresh(key, data?.rows, isFollowing);
  return (
    <section class="audit-list" aria-label={text.list}>
      <div class="audit-bar">
        <Subject id={query.get('record')} rows={data?.rows ?? []} />
        <button class="button slim" aria-pressed={isFollowing} onClick={follow}>
          <Icon name={isFollowing ? 'check' : 'events'} size={14} />
          {text.follow}
          {fresh > 0 && <span role="status">{text.fresh(fresh)}</span>}
        </button>
      </div>
      {!data && error && <Failed error={error} again={() => void reloadAll('audit ')} />}
      {!data && !error && <Skeleton rows={8} height={ROW} />}
      {data?.rows.length === 0 && (
        <Empty title={text.nothing}>
          <p>{text.nothingHint}</p>
        </Empty>
      )}
      {data && data.rows.length > 0 && (
        <VirtualList
          key={key}
          label={text.list}
          rows={data.rows}
          height={ROW}
          keyOf={({ audit_log_id }) => audit_log_id}
          chosen={chosen}
          hasMore={data.next !== null}
          more={more}
          follow={isFollowing}
          draw={(row) => <Row row={row} isChosen={row.audit_log_id === chosen} />}
        />
      )}
    </section>
  );
}

/** How many records have come since one looked at the newest. */
function useFresh(key: string, rows: AuditRecord[] | undefined, isFollowing: boolean): number {
  const seen = useRef<{ key: string; newest: string } | null>(null);
  const first = rows?.[0]?.audit_log_id;
  if (first !== undefined && (isFollowing || seen.current?.key !== key))
    seen.current = { key, newest: first };
  const at = rows?.findIndex(({ audit_log_id }) => audit_log_id === seen.current?.newest) ?? 0;
  return at < 0 ? (rows?.length ?? 0) : at;
}

/** Whose history it is, where it is that of one record. */
function Subject({ id, rows }: { id: string | null; rows: AuditRecord[] }) {
  const one = rows.find(({ record }) => record.id === id);
  const now = useRecordName(one?.record.type ?? '', id);
  if (id === null) return <h2 class="cut">{text.all}</h2>;
  const name = now ?? rows.map(nameIn).find((found) => found !== undefined) ?? id;
  return (
    <h2 class="cut" dir="auto">
      {text.historyOf(name)}
    </h2>
  );
}

const Row = ({ row, isChosen }: { row: AuditRecord; isChosen: boolean }) => {
  const name = nameIn(row);
  const nameOf = useNames();
  const { organization_id } = row;
  return (
    <a
      class="audit-row"
      href={href(['audit', row.audit_log_id], changedQuery({}))}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span class="row-line">
        <span class="cut">
          <span class="audit-actor">{actorName(row)}</span>
          {' · '}
          {sentenceOf(row)}
        </span>
        <Time at={row.occurred_at} class="quiet small audit-time" />
      </span>
      <span class="row-line cut quiet small" dir="auto">
        {organization_id !== undefined && `${isolated(nameOf(organization_id))} · `}
        {row.action_type === 'update' ? summary(row) : (name ?? text.fields(row.changes.length))}
      </span>
    </a>
  );
};

/** The first change in short, and how many more there are. */
function summary({ changes }: AuditRecord): string {
  const [first, ...others] = changes;
  const said = shortChange(first!);
  return others.length === 0 ? said : `${said} ${text.others(others.length)}`;
}
