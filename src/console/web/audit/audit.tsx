import { useState } from 'preact/hooks';
import type { AuditRecord } from '../data/records.js';
import { changedQuery, go, href, useRoute } from '../data/route.js';
import { useKeys } from '../parts/keys.js';
import { Empty } from '../parts/states.js';
import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';
import { AuditDetail } from './audit-detail.js';
import { AuditFilters } from './audit-filters.js';
import { AuditList } from './audit-list.js';

const { audit: text } = words;

/** Who changed what: the list, and one change as a diff; on a small screen one after the other. */
export default function Audit() {
  const { path, query } = useRoute();
  const id = path[1] ?? null;
  const [rows, tellRows] = useState<AuditRecord[]>([]);
  useTitle(words.places.audit);
  const open = (next: string | null) =>
    go(href(next === null ? ['audit'] : ['audit', next], changedQuery({})), { replace: id !== null });
  const step = (by: number) => {
    const at = rows.findIndex(({ audit_log_id }) => audit_log_id === id);
    const next = rows[id === null ? 0 : at + by];
    if (next !== undefined) open(next.audit_log_id);
  };
  const isFollowing = query.get('follow') === 'on';
  const follow = () => go(href(path, changedQuery({ follow: isFollowing ? null : 'on' })), { replace: true });
  useKeys([
    { key: 'j', label: text.key.next, act: () => step(1) },
    { key: 'k', label: text.key.previous, act: () => step(-1) },
    { key: 'f', label: text.follow, act: follow },
    { key: 'Escape', label: text.key.back, act: () => open(null) },
  ]);
  return (
    <main class={`page audit ${id === null ? '' : 'has-detail'}`}>
      <AuditFilters />
      <AuditList chosen={id} isFollowing={isFollowing} follow={follow} tellRows={tellRows} />
      {id === null ? (
        <Empty title={text.choose}>
          <p>{text.chooseHint}</p>
        </Empty>
      ) : (
        <AuditDetail key={id} id={id} listed={rows.find(({ audit_log_id }) => audit_log_id === id)} />
      )}
    </main>
  );
}
