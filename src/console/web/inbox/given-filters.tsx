import type { ComponentChildren } from 'preact';
import { useCalls } from '../data/organization.js';
import { useRoute } from '../data/route.js';
import { useKept } from '../data/store.js';
import { setFilter } from '../parts/choice.js';
import { Icon } from '../parts/icon.js';
import { TagMark } from '../parts/tag.js';
import { words } from '../words/words.js';
import { useTags } from './use-conversations.js';

const { inbox: text } = words;

/** Several values of a filter, as the address and the API have them. */
export const valuesOf = (query: URLSearchParams, name: string): string[] =>
  (query.get(name) ?? '').split(',').filter(Boolean);

/** The filters that name a record, each to be taken away. */
export function GivenFilters() {
  const { query } = useRoute();
  const tags = useTags();
  const [contact, company] = [query.get('contact_id'), query.get('company_id')];
  const chosen = valuesOf(query, 'tag_id');
  if (!contact && !company && chosen.length === 0) return null;
  return (
    <ul class="given-filters" aria-label={text.filters}>
      {contact && <Named key={contact} place="contacts" id={contact} />}
      {company && <Named key={company} place="companies" id={company} />}
      {chosen.map((id) => {
        const tag = tags.find(({ tag_id }) => tag_id === id) ?? { tag_id: id, name: id, colour: null };
        const without = chosen.filter((one) => one !== id).join(',');
        return (
          <Given key={id} name={tag.name} remove={() => setFilter('tag_id', without)}>
            <TagMark tag={tag} />
          </Given>
        );
      })}
    </ul>
  );
}

const FIELD = { contacts: 'contact_id', companies: 'company_id' } as const;
const ICON = { contacts: 'person', companies: 'company' } as const;

function Named({ place, id }: { place: keyof typeof FIELD; id: string }) {
  const calls = useCalls();
  const load = () =>
    calls.GET<{ name: string; email?: string }>(`/${place}/{id}`, { params: { path: { id } } });
  const { data, error } = useKept(`name of ${id}`, load);
  // Nothing jumps into what is to be read as the name.
  const name = data ? data.name || data.email || text.unnamed : error ? id : '…';
  return (
    <Given name={name} remove={() => setFilter(FIELD[place], null)}>
      <span class="tag">
        <Icon name={ICON[place]} size={12} />
        <span class="cut">{name}</span>
      </span>
    </Given>
  );
}

const Given = (props: { name: string; remove: () => void; children: ComponentChildren }) => (
  <li>
    <button
      class="button link"
      aria-label={text.without(props.name)}
      title={text.without(props.name)}
      onClick={props.remove}
    >
      {props.children}
      <Icon name="close" size={12} />
    </button>
  </li>
);
