import { contactKind } from '../contacts/kind.js';
import { type Seen, seenAs } from '../data/edit.js';
import { attempt } from '../data/notices.js';
import { useCalls } from '../data/organization.js';
import type { Contact, Sale, Tag } from '../data/records.js';
import { addressOf } from '../data/record-address.js';
import { may } from '../data/session.js';
import { patch, reloadAll } from '../data/store.js';
import { toggled } from '../data/toggled.js';
import { useConversation } from '../inbox/use-conversations.js';
import { modalityIcon } from '../parts/icon.js';
import { Time } from '../parts/states.js';
import { TagMark } from '../parts/tag.js';
import { TagsMenu } from '../parts/tags-menu.js';
import { EditField } from '../records/edit-field.js';
import type { Field } from '../records/kind.js';
import { LinkedRow } from '../records/linked-row.js';
import { keyOfRecord, type Save, useCustomFields, useRecord } from '../records/use-records.js';
import { words } from '../words/words.js';
import { SaleQuote } from './sale-quote.js';
import { SALES } from './sales.js';

const { pipeline: text } = words;

const FIELDS: Field[] = [
  { name: 'name', label: words.records.name, type: 'text' },
  { name: 'expected_close_on', label: text.closing, type: 'date' },
  { name: 'owner_id', label: words.inbox.field.owner, type: 'agent' },
  { name: 'company_id', label: words.contact.company, type: 'company' },
];

interface Props {
  seen: Seen<Sale>;
  /** Left out where the key may not write. */
  save?: Save<Sale>;
}

/** What the sale is, whom it is about, what is quoted, and where it has been. */
export function SaleDetails({ seen, save }: Props) {
  const { record } = seen;
  const custom = useCustomFields(SALES);
  return (
    <div class="sale-details">
      <dl class="fact-list">
        {[...FIELDS, ...custom].map((field) => (
          <EditField
            key={`${String(field.isCustom)} ${field.name}`}
            id={record.sale_id}
            field={field}
            seen={seen}
            {...(save && { save })}
          />
        ))}
      </dl>
      <Tags of={record} />
      <SaleQuote of={record} />
      <section aria-label={text.people}>
        <h3>{text.people}</h3>
        {record.associated_contacts.length === 0 && <p class="quiet">{words.records.noContacts}</p>}
        {record.associated_contacts.map(({ contact_id, is_primary }) => (
          <ContactRow key={contact_id} id={contact_id} isMain={is_primary} />
        ))}
      </section>
      <section aria-label={words.contact.conversations}>
        <h3>{words.contact.conversations}</h3>
        {record.associated_conversation_ids.length === 0 && (
          <p class="quiet">{words.records.noConversations}</p>
        )}
        {record.associated_conversation_ids.slice(0, MOST).map((id) => (
          <ConversationRow key={id} id={id} />
        ))}
        {record.associated_conversation_ids.length > MOST && (
          <p class="quiet">{text.more(record.associated_conversation_ids.length - MOST)}</p>
        )}
      </section>
      <section aria-label={text.stages}>
        <h3>{text.stages}</h3>
        <ol class="stages">
          {record.status_history.map(({ status_id, label, changed_at }) => (
            <li key={`${status_id} ${changed_at}`}>
              <span dir="auto">{label}</span>
              <Time at={changed_at} class="quiet small" />
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

/** Conversations that are shown; each is asked for by itself. */
const MOST = 20;

function Tags({ of: { sale_id, tags } }: { of: Sale }) {
  const calls = useCalls();
  const toggle = (tag: Tag) => {
    const { next, body } = toggled(tags, tag);
    const show = patch<Seen<Sale>>(keyOfRecord(sale_id), (seen) => ({
      ...seen,
      record: { ...seen.record, tags: next },
    }));
    void attempt(async () => {
      const params = { path: { sale_id } };
      const now = await calls.POST<Sale>('/sales/{sale_id}/tags', { params, body });
      patch<Seen<Sale>>(keyOfRecord(sale_id), () => seenAs(now));
      void reloadAll('sales ');
    }, show);
  };
  return (
    <div class="record-tags">
      {tags.map((tag) => (
        <TagMark key={tag.tag_id} tag={tag} />
      ))}
      {may('write') && <TagsMenu class="button slim" of={tags} toggle={toggle} />}
    </div>
  );
}

function ContactRow({ id, isMain }: { id: string; isMain: boolean }) {
  const { data } = useRecord<Contact>(contactKind, id);
  const contact = data?.record;
  return (
    <LinkedRow
      to={addressOf('contact', id)}
      icon="person"
      title={contact ? contactKind.titleOf(contact) : id}
      facts={[isMain ? text.main : '', contact?.company_role, contact?.email, contact?.phone_number]}
    />
  );
}

function ConversationRow({ id }: { id: string }) {
  const { data, error } = useConversation(id);
  if (error?.status === 404) return null;
  return (
    <LinkedRow
      to={addressOf('conversation', id, { status: 'all' })}
      icon={modalityIcon(data?.last_message.modality ?? 'email')}
      title={data ? (data.subject ?? (data.preview || words.inbox.noSubject)) : id}
      facts={data ? [words.inbox.status[data.status], data.contact && contactKind.titleOf(data.contact)] : []}
      at={data?.last_activity_at ?? null}
    />
  );
}
