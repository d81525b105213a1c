import { useState } from 'preact/hooks';
import { changedQuery, go, useRoute } from '../data/route.js';
import { Choice, type Options, setFilter } from '../parts/choice.js';
import { Icon } from '../parts/icon.js';
import { useFinished } from '../parts/use-finished.js';
import { words } from '../words/words.js';
import { GivenFilters, valuesOf } from './given-filters.js';
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
        <Choice name="status" label={text.field.status} options={statusesOf(query)} bare />
        <Choice name="sort" label={text.field.sort} options={SORTS} bare />
        <button class="button" aria-expanded={isOpen} title={text.filters} onClick={() => setOpen(!isOpen)}>
          <Icon name="filter" />
          <span class="only-read">{text.filters}</span>
          {given.length > 0 && given.length}
        </button>
      </div>
      <GivenFilters />
      {isOpen && <More given={given} />}
    </>
  );
}

function More({ given }: { given: string[] }) {
  const agents = useAgents().map(({ agent_id, name }): Options[0] => [agent_id, name]);
  const { query } = useRoute();
  const chosen = valuesOf(query, 'tag_id');
  const tags = useTags().filter(({ tag_id }) => !chosen.includes(tag_id));
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
      <label>
        <span class="label">{text.field.tag}</span>
        <select
          class="field"
          value=""
          onChange={({ currentTarget: select }) => {
            setFilter('tag_id', [...chosen, select.value].join(','));
            select.value = '';
          }}
        >
          <option value="">{chosen.length === 0 ? text.any : text.anotherTag}</option>
          {tags.map(({ tag_id, name }) => (
            <option key={tag_id} value={tag_id}>
              {name}
            </option>
          ))}
        </select>
      </label>
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
  ['open,snoozed', text.notClosed],
  ['all', text.status.all],
];
const STATUS: Partial<Record<string, string>> = text.status;

/** Those on offer, and whichever others a link names. */
function statusesOf(query: URLSearchParams): Options {
  const given = query.get('status') ?? '';
  if (given === 'open' || STATUSES.some(([one]) => one === given)) return STATUSES;
  const names = valuesOf(query, 'status').map((one) => STATUS[one] ?? one);
  return [...STATUSES, [given, names.join(', ')]];
}

const SORTS: Options = [
  ['', text.sort.newest],
  ['last_activity_at', text.sort.oldest],
  ['waiting_since', text.sort.waiting],
];
