import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useMaking } from '../data/making.js';
import type { CrmRecord } from '../data/records.js';
import { changedQuery, href, useRoute } from '../data/route.js';
import { may } from '../data/session.js';
import { useTags } from '../inbox/use-conversations.js';
import { Choice, type Options } from '../parts/choice.js';
import { FiltersButton } from '../parts/filters-button.js';
import { useKeys } from '../parts/keys.js';
import { Search } from '../parts/search.js';
import { useTitle } from '../parts/title.js';
import { walk } from '../parts/walk.js';
import { words } from '../words/words.js';
import { FoundRecords } from './found-records.js';
import { filterNames, ListedRecords, type ListedProps } from './listed-records.js';
import type { Field } from './kind.js';
import { NewRecord } from './new-record.js';
import { useCustomFields } from './use-records.js';

const { records: text } = words;

interface Props<R extends CrmRecord> extends ListedProps<R> {
  head?: ComponentChildren;
}

/** All records of a kind: searched, filtered, ordered. */
export function RecordList<R extends CrmRecord>(props: Props<R>) {
  const { kind, filters, head } = props;
  const { query } = useRoute();
  const [isMaking, setMaking] = useMaking();
  const [isFiltering, setFiltering] = useState(false);
  const custom = useCustomFields(kind).flatMap(choiceOf);
  const tags = useTags().map(({ tag_id, name }): [string, string] => [tag_id, name]);
  const q = query.get('q');
  const given = filterNames(query, filters).filter((name) => name !== 'sort');
  useTitle(words.places[kind.place]);
  useKeys([
    { key: 'j', label: text.key.next, act: () => walk('.records', 1) },
    { key: 'k', label: text.key.previous, act: () => walk('.records', -1) },
    { key: '/', label: kind.text.search, act: () => document.getElementById('records-search')?.focus() },
    ...(may('write') ? [{ key: 'n', label: kind.text.add, act: () => setMaking(true) }] : []),
  ]);
  return (
    <main class="page records">
      <header class="records-head">
        <h1>{words.places[kind.place]}</h1>
        <Search id="records-search" label={kind.text.search} hint={text.searchHint} />
        {q === null && (
          <>
            <Choice name="tag_id" label={words.acts.tags} options={[['', text.anyTag], ...tags]} bare />
            <Choice name="sort" label={words.inbox.field.sort} options={kind.sorts} bare />
            {custom.length > 0 && (
              <FiltersButton isOpen={isFiltering} onToggle={() => setFiltering(!isFiltering)} />
            )}
          </>
        )}
        {q === null && given.length > 0 && (
          <a class="button" href={href([kind.place], cleared(given))}>
            {words.inbox.clear}
          </a>
        )}
        {head}
        {may('write') && (
          <button class="button main" onClick={() => setMaking(true)}>
            {kind.text.add}
          </button>
        )}
        {q === null && (isFiltering || custom.some(({ name }) => query.has(name))) && (
          <div class="records-filters">
            {custom.map((choice) => (
              <Choice key={choice.name} {...choice} />
            ))}
          </div>
        )}
      </header>
      {q === null ? <ListedRecords {...props} /> : <FoundRecords kind={kind} q={q} />}
      {isMaking && may('write') && <NewRecord kind={kind} close={() => setMaking(false)} />}
    </main>
  );
}

/** A filter by one of the organization's own fields, where it has a few values. */
function choiceOf({
  name,
  label,
  type,
  options = [],
}: Field): { name: string; label: string; options: Options }[] {
  if (type !== 'enum' && type !== 'boolean') return [];
  const values: Options =
    type === 'enum'
      ? options.map((option) => [option, option])
      : [
          ['true', text.yes],
          ['false', text.no],
        ];
  return [{ name: `custom_fields[${name}]`, label, options: [['', words.inbox.any], ...values] }];
}

const cleared = (names: string[]) => changedQuery(Object.fromEntries(names.map((name) => [name, null])));
