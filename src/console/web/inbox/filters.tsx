import { useState } from 'preact/hooks';
import { changedQuery, go, useRoute } from '../data/route.js';
import { Choice, type Options, setFilter } from '../parts/choice.js';
import { Icon } from '../parts/icon.js';
import { useFinished } from '../parts/use-finished.js';
import { words } from '../words/words.js';
import { FILTERS, useAgents, useTags } from './use-conversations.js';

const { inbox: text } = words;

/** Status and order beside each other, all other filters on demand. */
export function Filters() {
  const { query } = useRoute();
  const [isOpen, setOpen] = useState(false);
  const given = FILTERS.filter((name) => !['status', 'sort'].includes(name) && query.has(name));
  return (
    <>
      <div class="filter-line">
        <Choice name="status" label={text.field.status} options={STATUSES} bare />
        <Choice name="sort" label={text.field.sort} options={SORTS} bare />
        <button
          class="button"
          aria-expanded={isOpen}
          aria-label={text.filters}
          title={text.filters}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="filter" />
          {given.length > 0 && given.length}
        </button>
      </div>
      {isOpen && <More given={given} />}
    </>
  );
}

function More({ given }: { given: string[] }) {
  const agents = useAgents().map(({ agent_id, name }): Options[0] => [agent_id, name]);
  const tags = useTags().map(({ tag_id, name }): Options[0] => [tag_id, name]);
  const { query } = useRoute();
  const folder = useFinished(query.get('folder') ?? '', (value) => setFilter('folder', value.trim()));
  const clear = () => {
    const without = Object.fromEntries(given.map((name) => [name, null]));
    go(`${location.pathname}?${changedQuery(without).toString()}`, { replace: true });
  };
  return (
    <div class="filters">
      <Choice name="agent_id" label={text.field.owner} options={[ANY, ['none', text.nobody], ...agents]} />
      <Choice
        name="is_read"
        label={text.field.read}
        options={[ANY, ['false', text.unread], ['true', text.read]]}
      />
      <Choice
        name="modality"
        label={text.field.modality}
        options={[ANY, ...Object.entries(words.modality)]}
      />
      <Choice
        name="waiting"
        label={text.field.waiting}
        options={[ANY, ['true', text.waiting], ['false', text.notWaiting]]}
      />
      <Choice
        name="has_draft"
        label={text.field.draft}
        options={[ANY, ['true', text.draft], ['false', text.noDraft]]}
      />
      <Choice name="tag_id" label={text.field.tag} options={[ANY, ...tags]} />
      <label>
        <span class="label">{text.field.folder}</span>
        <input {...folder} class="field" />
      </label>
      <button class="button clear" disabled={given.length === 0} onClick={clear}>
        {text.clear}
      </button>
    </div>
  );
}

const ANY: Options[0] = ['', text.any];
const STATUSES: Options = [
  ['', text.status.open],
  ['snoozed', text.status.snoozed],
  ['closed', text.status.closed],
  ['all', text.status.all],
];
const SORTS: Options = [
  ['', text.sort.newest],
  ['last_activity_at', text.sort.oldest],
  ['waiting_since', text.sort.waiting],
];
