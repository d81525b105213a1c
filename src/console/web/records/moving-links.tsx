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
  const links = useLinks(kind, id);
  const addresses =
    kind.type === 'contact' ? movingAddresses(stays as unknown as Contact, ends as unknown as Contact) : [];
  const org = changedQuery({}).get('org');
  return (
    <section class="moving" aria-label={text.moves}>
      <h2>{text.moves}</h2>
      {!links && <p class="quiet">{words.loading}</p>}
      {links?.length === 0 && addresses.length === 0 && <p class="quiet">{text.nothingMoves}</p>}
      <ul>
        {links?.map(({ tab, count, hasMore }) => (
          <li key={tab}>
            <a href={href([kind.place, id], { org, tab })}>
              {text.count[tab](hasMore ? text.orMore(count) : String(count), count === 1)}
            </a>
          </li>
        ))}
        {addresses.map((address) => (
          <li key={address}>{text.stillReached(address)}</li>
        ))}
      </ul>
    </section>
  );
}

type Tab = keyof typeof text.count;

/** How many records of each kind link to it, where there are any. */
function useLinks<R extends CrmRecord>({ type, place }: Kind<R>, id: string) {
  const calls = useCalls();
  const of = { [`${type}_id`]: id };
  const lists: [tab: Tab, path: string, query: Record<string, string>][] = [
    type === 'contact'
      ? ['conversations', `/contacts/${id}/conversations`, {}]
      : ['conversations', '/conversations', of],
    ['sales', '/sales', of],
    ['tasks', '/tasks', of],
    ['comments', `/${place}/${id}/comments`, {}],
  ];
  if (type === 'company') lists.unshift(['contacts', '/contacts', of]);
  const { data } = useKept(`links of ${id}`, async () => {
    const found = await Promise.all(
      lists.map(async ([tab, path, query]) => {
        const params = { query: { ...query, limit: MOST } };
        const { data, pagination } = await calls.GET<Page<unknown>>(path, { params });
        return { tab, count: data.length, hasMore: pagination.has_more };
      }),
    );
    return found.filter(({ count }) => count > 0);
  });
  return data;
}

/** Addresses and numbers that are shown no more, and lead to the contact that stays. */
const movingAddresses = (stays: Contact, ends: Contact): string[] =>
  (['email', 'phone_number'] as const)
    .filter((name) => stays[name] && ends[name] && stays[name] !== ends[name])
    .map((name) => ends[name]);
