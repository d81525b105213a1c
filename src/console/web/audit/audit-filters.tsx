import { useState } from 'preact/hooks';
import { changedQuery, href, useRoute } from '../data/route.js';
import { isOperator } from '../data/session.js';
import { clockHere, instantHere } from '../format.js';
import { useAgents } from '../inbox/use-conversations.js';
import { useAllOrganizations } from '../operations/use-organizations.js';
import { Choice, type Options, setFilter } from '../parts/choice.js';
import { FiltersButton } from '../parts/filters-button.js';
import { useFinished } from '../parts/use-finished.js';
import { words } from '../words/words.js';
import { SaveCsv } from './save-csv-button.js';
import { FILTER_NAMES, type FilterName } from './use-audit.js';

const { audit: text } = words;

/** Those beside each other; the others on demand. */
const USUAL: FilterName[] = ['agent_id', 'record_type', 'action_type', 'actor_type'];

export function AuditFilters() {
  const { path, query } = useRoute();
  // Where a change is shown, that is what the page is about.
  const Title = path.length > 1 ? 'p' : 'h1';
  const [isOpen, setOpen] = useState(false);
  const agents = useAgents().map(({ agent_id, name }): Options[0] => [agent_id, name]);
  const organizations = useAllOrganizations().data?.data ?? [];
  const given = FILTER_NAMES.filter((name) => query.has(name));
  const more = given.filter((name) => !USUAL.includes(name));
  const cleared = changedQuery(Object.fromEntries(given.map((name) => [name, null])));
  const any = (label: string, options: Record<string, string>): Options => [
    ['', label],
    ...Object.entries(options),
  ];
  return (
    <header class="audit-head">
      <Title class="audit-title">{words.places.audit}</Title>
      <div class="audit-filters">
        {isOperator() ? (
          <Choice
            name="org"
            label={words.places.organization}
            options={[
              ['', text.anyOrganization],
              ...organizations.map(({ organization_id, name }): Options[0] => [organization_id, name]),
            ]}
            bare
          />
        ) : (
          <Choice name="agent_id" label={text.agent} options={[['', text.anyAgent], ...agents]} bare />
        )}
        <Choice name="record_type" label={text.record} options={any(text.anyRecord, text.kind)} bare />
        <Choice name="action_type" label={text.action} options={any(text.anyAction, text.did)} bare />
        <Choice name="actor_type" label={text.actor} options={any(text.anyActor, text.actors)} bare />
        <FiltersButton isOpen={isOpen} count={more.length} onToggle={() => setOpen(!isOpen)} />
        {given.length > 0 && (
          <a class="button" href={href(['audit'], cleared)}>
            {words.inbox.clear}
          </a>
        )}
        <SaveCsv />
      </div>
      {(isOpen || more.length > 0) && <More />}
    </header>
  );
}

const More = () => (
  <div class="audit-more">
    <Typed name="record" label={text.recordId} />
    <Typed name="field" label={text.field} />
    <Typed name="request_id" label={text.request} />
    <Typed name="key_id" label={text.keyId} />
    <Instant name="start_date" label={text.from} />
    <Instant name="end_date" label={text.until} />
  </div>
);

function Typed({ name, label }: { name: FilterName; label: string }) {
  const { query } = useRoute();
  const field = useFinished(query.get(name) ?? '', (value) => setFilter(name, value.trim()));
  return (
    <label>
      <span class="label">{label}</span>
      <input {...field} class="field" />
    </label>
  );
}

/** In the organization's zone. */
function Instant({ name, label }: { name: FilterName; label: string }) {
  const { query } = useRoute();
  const given = query.get(name) ?? '';
  const shown = Number.isNaN(Date.parse(given)) ? '' : clockHere(given);
  const field = useFinished(shown, (value) => setFilter(name, value === '' ? null : instantHere(value)));
  return (
    <label>
      <span class="label">{label}</span>
      <input {...field} class="field" type="datetime-local" />
    </label>
  );
}
