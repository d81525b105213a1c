import { useState } from 'preact/hooks';
import { api } from '../data/session.js';
import { serviceTime } from '../data/connection.js';
import { reload, useKept } from '../data/store.js';
import { Empty, Time } from '../parts/states.js';
import { listed } from '../words/isolated.js';
import { words } from '../words/words.js';
import { usePlace } from './address.js';
import { KEYS, KeyDetail } from './key-detail.js';
import { KeyForm } from './key-form.js';
import type { ApiKey, List } from './records.js';
import { matches, SearchBox } from './search-box.js';
import { type Secret, SecretOnce } from './secret.js';
import { Missing, Split } from './split.js';
import { StateMark } from './state-mark.js';
import { useNames } from './use-organizations.js';

const { keys: text } = words.operations;

/** The API keys of all organizations. */
export function Keys() {
  const { query } = usePlace();
  const kept = useKept(KEYS, () => api().GET<List<ApiKey>>('/admin/v1/api-keys'));
  const nameOf = useNames();
  const [secret, setSecret] = useState<Secret | null>(null);
  const all = kept.data?.data;
  const q = query.get('q');
  const rows = all?.filter(({ name, key_id, organization_ids }) =>
    matches(q, name, key_id, ...organization_ids, ...organization_ids.map(nameOf)),
  );
  return (
    <>
      <Split<ApiKey>
        tab="keys"
        label={text.list}
        kept={kept}
        rows={rows}
        again={() => void reload(KEYS)}
        idOf={({ key_id }) => key_id}
        head={<SearchBox tab="keys" label={text.search} />}
        make={text.make}
        empty={<Empty title={q === null ? text.none : text.noneSuch(q)} />}
        draw={(row) => (
          <>
            <span class="row-line">
              <span class="row-name cut" dir="auto">
                {row.name}
              </span>
              {row.last_used_at !== null && <Time at={row.last_used_at} class="quiet small" />}
            </span>
            <span class="row-line small">
              <KeyState of={row} />
              <span class="quiet cut" dir="auto">
                {listed(row.organization_ids.map(nameOf))}
              </span>
            </span>
          </>
        )}
        detail={(id) => {
          if (id === 'new') return <KeyForm tellSecret={setSecret} />;
          const found = all?.find(({ key_id }) => key_id === id);
          if (!found) return <Missing kept={kept} />;
          return <KeyDetail of={found} state={<KeyState of={found} />} tellSecret={setSecret} />;
        }}
      />
      {secret && <SecretOnce secret={secret} close={() => setSecret(null)} />}
    </>
  );
}

function KeyState({ of: { revoked_at, expires_at, read_only } }: { of: ApiKey }) {
  if (revoked_at !== null) return <StateMark kind="failed">{text.revoked}</StateMark>;
  if (expires_at !== null && Date.parse(expires_at) <= serviceTime())
    return <StateMark kind="failed">{text.expired}</StateMark>;
  return <StateMark kind="done">{read_only ? text.validToRead : text.valid}</StateMark>;
}
