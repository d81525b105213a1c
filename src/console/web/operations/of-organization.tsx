import type { ComponentChildren } from 'preact';
import { Organization } from '../data/organization.js';
import { go, useRoute } from '../data/route.js';
import { isOperator } from '../data/session.js';
import { Empty, Failed, Skeleton } from '../parts/states.js';
import { reload } from '../data/store.js';
import { words } from '../words/words.js';
import { type Tab, to } from './address.js';
import { Choice } from './form.js';
import { useAllOrganizations, useNamed } from './use-organizations.js';

const { operations: text } = words;

interface Props {
  tab: Tab;
  /** `id` is the organization; `choice` lets operators take another one. */
  children: (id: string, choice: ComponentChildren) => ComponentChildren;
}

/** What is of one organization: `org` of the address, else the first. */
export function OfOrganization({ tab, children }: Props) {
  const { query } = useRoute();
  const all = useAllOrganizations();
  const organizations = useNamed();
  if (!organizations && all.error)
    return <Failed error={all.error} again={() => void reload('ops organizations')} />;
  if (!organizations) return <Skeleton rows={5} height={64} />;
  const chosen =
    organizations.find(({ organization_id }) => organization_id === query.get('org')) ?? organizations[0];
  if (!chosen)
    return (
      <Empty title={text.organizations.none}>
        {isOperator() && <a href={to('organizations', 'new')}>{text.organizations.make}</a>}
      </Empty>
    );
  const { organization_id } = chosen;
  // Whoever has a key chooses beside the places.
  const choice = isOperator() && (
    <Choice
      name="org"
      label={words.places.organization}
      value={organization_id}
      options={organizations.map(({ organization_id: id, name }) => [id, name])}
      onChange={(org) => go(to(tab, null, { org }))}
    />
  );
  return (
    <Organization.Provider value={organization_id}>
      <div class="ops-whole" key={organization_id}>
        {children(organization_id, choice)}
      </div>
    </Organization.Provider>
  );
}
