import { useEffect } from 'preact/hooks';
import { useCalls } from '../data/organization.js';
import { usePages } from '../data/pages.js';
import type { Contact, Page } from '../data/records.js';
import { changedQuery, go, href } from '../data/route.js';
import { reload } from '../data/store.js';
import { Icon } from '../parts/icon.js';
import { useKeys } from '../parts/keys.js';
import { Empty, Failed, Skeleton } from '../parts/states.js';
import { useTitle } from '../parts/title.js';
import { VirtualList } from '../parts/virtual-list.js';
import { walk } from '../parts/walk.js';
import { listed } from '../words/isolated.js';
import { words } from '../words/words.js';
import { contactKind } from './kind.js';

const { contacts: text, records } = words;
const KEY = 'duplicates';
const ROW = 72;
const PAGE = 50;

interface Pair {
  reason: 'email' | 'phone' | 'name_and_company';
  contact_ids: [string, string];
  contacts: [Contact, Contact];
}

/** Pairs of contacts that may be one person, each of which leads to a merger. */
export function Duplicates() {
  const calls = useCalls();
  const { data, error, more } = usePages<Pair>(
    KEY,
    (cursor) => calls.GET<Page<Pair>>('/contacts/duplicates', { params: { query: { limit: PAGE, cursor } } }),
    ({ contact_ids }) => contact_ids.join(' '),
  );
  const org = changedQuery({}).get('org');
  const back = href(['contacts'], { org });
  // A page may end before it is full, with more to come.
  const looksOn = data !== undefined && data.next !== null && data.rows.length < PAGE;
  useEffect(() => {
    if (looksOn) void more();
  }, [looksOn, data?.next]);
  useTitle(text.duplicates);
  useKeys([
    { key: 'j', label: records.key.next, act: () => walk('.duplicates', 1) },
    { key: 'k', label: records.key.previous, act: () => walk('.duplicates', -1) },
    { key: 'Escape', label: records.key.back, act: () => go(back) },
  ]);
  return (
    <main class="page records duplicates">
      <header class="record-head">
        <a class="button bare" href={back} aria-label={records.back} title={records.back}>
          <Icon name="back" />
        </a>
        <h1 class="cut">{text.duplicates}</h1>
      </header>
      {!data && error && <Failed error={error} again={() => void reload(KEY)} />}
      {((!data && !error) || (looksOn && data.rows.length === 0)) && <Skeleton rows={6} height={ROW} />}
      {data?.rows.length === 0 && !looksOn && (
        <Empty title={text.noDuplicates}>
          <p>{text.noDuplicatesHint}</p>
        </Empty>
      )}
      {data && data.rows.length > 0 && (
        <VirtualList
          label={text.duplicates}
          rows={data.rows}
          height={ROW}
          keyOf={({ contact_ids }) => contact_ids.join(' ')}
          chosen={null}
          hasMore={data.next !== null}
          more={more}
          draw={(pair) => <PairRow pair={pair} org={org} />}
        />
      )}
    </main>
  );
}

const PairRow = ({ pair, org }: { pair: Pair; org: string | null }) => {
  const [older, younger] = pair.contacts;
  return (
    <a
      class="pair-row"
      href={href(['contacts', older.contact_id, 'merge'], { org, from: younger.contact_id })}
    >
      {pair.contacts.map((contact) => (
        <span key={contact.contact_id} class="pair-one">
          <span class="cut" dir="auto">
            {contactKind.titleOf(contact)}
          </span>
          <span class="cut quiet small" dir="auto">
            {listed([contact.email, contact.phone_number], ' · ')}
          </span>
        </span>
      ))}
      <span class="pair-act">
        <span class="quiet small">{text.reason[pair.reason]}</span>
        <span class="pair-compare small">{text.compare}</span>
      </span>
    </a>
  );
};
