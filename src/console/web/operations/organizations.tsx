import { reload } from '../data/store.js';
import { Empty, Time } from '../parts/states.js';
import { words } from '../words/words.js';
import { usePlace } from './address.js';
import { OrganizationDetail } from './organization-detail.js';
import { OrganizationForm } from './organization-form.js';
import type { AdminOrganization } from './records.js';
import { matches, SearchBox } from './search-box.js';
import { Missing, Split } from './split.js';
import { useAllOrganizations } from './use-organizations.js';

const { organizations: text } = words.operations;
const KEY = 'ops organizations';

export function Organizations() {
  const { query } = usePlace();
  const kept = useAllOrganizations();
  const all = kept.data?.data;
  const q = query.get('q');
  const rows = all?.filter(({ name, organization_id }) => matches(q, name, organization_id));
  return (
    <Split<AdminOrganization>
      tab="organizations"
      label={text.list}
      kept={kept}
      rows={rows}
      again={() => void reload(KEY)}
      idOf={({ organization_id }) => organization_id}
      head={<SearchBox tab="organizations" label={text.search} />}
      make={text.make}
      empty={<Empty title={q === null ? text.none : text.noneSuch(q)} />}
      draw={(row) => (
        <>
          <span class="row-line">
            <span class="row-name cut" dir="auto">
              {row.name}
            </span>
            <Time at={row.created_at} class="quiet small" />
          </span>
          <span class="row-line quiet small">{row.timezone}</span>
        </>
      )}
      detail={(id) => {
        if (id === 'new') return <OrganizationForm changed={() => reload(KEY)} />;
        const found = all?.find(({ organization_id }) => organization_id === id);
        if (!found) return <Missing kept={kept} />;
        if (query.get('edit') === 'on') return <OrganizationForm of={found} changed={() => reload(KEY)} />;
        return <OrganizationDetail of={found} />;
      }}
    />
  );
}
