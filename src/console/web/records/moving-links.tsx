import { useCalls } from '../data/organization.js';
import type { Contact, CrmRecord, Page } from '../data/records.js';
import { changedQuery, href } from '../data/route.js';
import { useKept } from '../data/store.js';
import { words } from '../words/words.js';
import type { Kind } from './kind.js';

const { records: text } = words;
/** What is counted at most: more are "50 or more". */
const MOST = 50;

interface Props<R extends CrmRecord> {
  kind: Kind<R>;
  stays: R;
  ends: R;
}

/** What the record that stays takes over: all that links to the other, and where it is reached. */
export function MovingLinks<R extends CrmRecord>({ kind, stays, ends }: Props<R>) {
  const id = kind.idOf(ends);
  const of = { [`${kind.type}_id`]: id };
  const org = changedQuery({}).get('org');
  const tab = (name: string) => href([kind.place, id], { org, tab: name });
  const contact = kind.type === 'contact';
  const links = [
    {
      label: text.count.conversations,
      path: contact ? `/contacts/${id}/conversations` : '/conversations',
      tab: 'conversations',
    },
    { label: text.count.sales, path: '/sales', tab: 'sales' },
    { label: text.count.tasks, path: '/tasks', tab: 'tasks' },
    { label: text.count.comments, path: `/${kind.place}/${id}/comments`, tab: 'comments' },
    ...(contact ? [] : [{ label: text.count.contacts, path: '/contacts', tab: 'contacts' }]),
  ];
  const addresses = contact ? movingAddresses(stays as unknown as Contact, ends as unknown as Contact) : [];
  return (
    <section class="moving" aria-label={text.moves}>
      <h2>{text.moves}</h2>
      <ul>
        {links.map((link) => (
          <Count key={link.tab} {...link} of={link.path.includes(id) ? {} : of} to={tab(link.tab)} />
        ))}
        {addresses.map((address) => (
          <li key={address} dir="auto">
            {text.stillReached(address)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Addresses and numbers that are shown no more, and lead to the contact that stays. */
const movingAddresses = (stays: Contact, ends: Contact): string[] =>
  (['email', 'phone_number'] as const)
    .filter((name) => stays[name] && ends[name] && stays[name] !== ends[name])
    .map((name) => ends[name]);

interface CountProps {
  label: (count: string, isOne: boolean) => string;
  path: string;
  of: Record<string, string>;
  to: string;
}

function Count({ label, path, of, to }: CountProps) {
  const calls = useCalls();
  const { data } = useKept(`count ${path} ${JSON.stringify(of)}`, () =>
    calls.GET<Page<unknown>>(path, { params: { query: { ...of, limit: MOST } } }),
  );
  const count = data && (data.pagination.has_more ? text.orMore(MOST) : String(data.data.length));
  return (
    <li>
      {count === undefined ? (
        <span class="quiet">{words.loading}</span>
      ) : (
        <a href={to}>{label(count, data!.data.length === 1)}</a>
      )}
    </li>
  );
}
