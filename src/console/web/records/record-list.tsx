import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CrmRecord } from '../data/records.js';
import { changedQuery, href, useRoute } from '../data/route.js';
import { may } from '../data/session.js';
import { useTags } from '../inbox/use-conversations.js';
import { Choice } from '../parts/choice.js';
import { useKeys } from '../parts/keys.js';
import { Search } from '../parts/search.js';
import { useTitle } from '../parts/title.js';
import { walk } from '../parts/walk.js';
import { words } from '../words/words.js';
import { FoundRecords } from './found-records.js';
import { ListedRecords, type ListedProps } from './listed-records.js';
import { NewRecord } from './new-record.js';

const { records: text } = words;

interface Props<R extends CrmRecord> extends ListedProps<R> {
  head?: ComponentChildren;
}

/** All records of a kind: searched, filtered, ordered. */
export function RecordList<R extends CrmRecord>(props: Props<R>) {
  const { kind, filters, head } = props;
  const { query } = useRoute();
  const [isMaking, setMaking] = useState(false);
  const tags = useTags().map(({ tag_id, name }): [string, string] => [tag_id, name]);
  const q = query.get('q');
  const given = ['tag_id', ...filters].filter((name) => query.has(name));
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
      </header>
      {q === null ? <ListedRecords {...props} /> : <FoundRecords kind={kind} q={q} />}
      {isMaking && <NewRecord kind={kind} close={() => setMaking(false)} />}
    </main>
  );
}

const cleared = (names: string[]) => changedQuery(Object.fromEntries(names.map((name) => [name, null])));
