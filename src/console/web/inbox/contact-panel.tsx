import { useCalls } from '../data/organization.js';
import type { Contact, Conversation, Page, TimelineEntry } from '../data/records.js';
import { changedQuery, go, href, useRoute } from '../data/route.js';
import { reload, useKept } from '../data/store.js';
import { Icon } from '../parts/icon.js';
import { Failed, Skeleton, Time } from '../parts/states.js';
import { TagMark } from '../parts/tag.js';
import { words } from '../words/words.js';
import { keyOfEntry, kindOf, targetOf, titleOf } from '../records/timeline-entry.js';
import { nameOf } from './name.js';

const { contact: text } = words;

/** Who is on the other side, and what there was before. */
export function ContactPanel({ of }: { of: Conversation }) {
  const calls = useCalls();
  const { path } = useRoute();
  const { contact_id } = of;
  const key = `contact ${contact_id}`;
  const { data, error } = useKept<Contact>(key, () =>
    calls.GET('/contacts/{contact_id}', { params: { path: { contact_id }, query: { expand: 'company' } } }),
  );
  const isWide = matchMedia('(min-width: 1440px)').matches;
  const hide = () => go(href(path, changedQuery({ panel: isWide ? 'off' : null })), { replace: true });
  return (
    <aside class="panel" aria-label={text.label}>
      <div class="panel-head">
        <h2 class="cut">
          <a href={href(['contacts', contact_id], { org: changedQuery({}).get('org') })}>{nameOf(of)}</a>
        </h2>
        <button class="button bare" aria-label={text.hide} title={text.hide} onClick={hide}>
          <Icon name="close" />
        </button>
      </div>
      {!data && error && <Failed error={error} again={() => void reload(key)} />}
      {!data && !error && <Skeleton rows={3} height={64} />}
      {data && <Facts contact={data} />}
      <Others contactId={contact_id} but={of.conversation_id} />
      <Timeline contactId={contact_id} />
    </aside>
  );
}

function Facts({ contact }: { contact: Contact }) {
  const facts: [string, unknown][] = [
    [text.email, contact.email],
    [text.phone, contact.phone_number],
    [text.company, contact.company?.name],
    [text.role, contact.company_role],
    ...Object.entries(contact.custom_fields),
  ];
  return (
    <section>
      <dl class="facts">
        {facts
          .filter(([, value]) => value !== null && value !== undefined && value !== '')
          .map(([name, value]) => (
            <>
              <dt class="quiet">{name}</dt>
              <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </>
          ))}
        <dt class="quiet">{text.since}</dt>
        <dd>
          <Time at={contact.created_at} />
        </dd>
      </dl>
      {contact.tags.length > 0 && (
        <p class="panel-tags">
          {contact.tags.map((tag) => (
            <TagMark key={tag.tag_id} tag={tag} />
          ))}
        </p>
      )}
    </section>
  );
}

function Others({ contactId, but }: { contactId: string; but: string }) {
  const calls = useCalls();
  const { data } = useKept(`conversations of ${contactId}`, () =>
    calls.GET<Page<Conversation>>('/contacts/{contact_id}/conversations', {
      params: { path: { contact_id: contactId }, query: { limit: 6 } },
    }),
  );
  const others = data?.data.filter(({ conversation_id }) => conversation_id !== but) ?? [];
  if (others.length === 0) return null;
  return (
    <section>
      <h3>{text.conversations}</h3>
      <ul class="short-list">
        {others.map((one) => (
          <li key={one.conversation_id}>
            <a class="cut" href={href(['inbox', one.conversation_id], changedQuery({}))}>
              {one.subject ?? one.preview}
            </a>
            <Time at={one.last_activity_at} class="quiet small" />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Timeline({ contactId }: { contactId: string }) {
  const calls = useCalls();
  const { data } = useKept(`timeline ${contactId}`, () =>
    calls.GET<Page<TimelineEntry>>('/contacts/{contact_id}/timeline', {
      params: { path: { contact_id: contactId }, query: { limit: 20 } },
    }),
  );
  if (!data || data.data.length === 0) return null;
  return (
    <section>
      <h3>{text.timeline}</h3>
      <ul class="short-list timeline">
        {data.data.map((entry) => (
          <li key={keyOfEntry(entry)}>
            <span class="cut">
              {titleOf(entry) !== '' && <span class="quiet">{kindOf(entry)} </span>}
              <a href={targetOf(entry)}>{titleOf(entry) || kindOf(entry)}</a>
            </span>
            <Time at={entry.occurred_at} class="quiet small" />
          </li>
        ))}
      </ul>
    </section>
  );
}
