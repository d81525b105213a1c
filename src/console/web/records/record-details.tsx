import { attempt } from '../data/notices.js';
import { type Seen, seenAs } from '../data/edit.js';
import { useCalls } from '../data/organization.js';
import type { CrmRecord, Tag } from '../data/records.js';
import { may } from '../data/session.js';
import { patch, reloadAll } from '../data/store.js';
import { toggled } from '../data/toggled.js';
import { Time } from '../parts/states.js';
import { TagMark } from '../parts/tag.js';
import { TagsMenu } from '../parts/tags-menu.js';
import { words } from '../words/words.js';
import { EditField } from './edit-field.js';
import type { Kind } from './kind.js';
import { keyOfRecord, type Save, useCustomFields } from './use-records.js';

const { records: text } = words;

interface Props<R extends CrmRecord> {
  kind: Kind<R>;
  seen: Seen<R>;
  save?: Save<R>;
}

/** What the record is: its own fields, the organization's, tags, and what other systems call it. */
export function RecordDetails<R extends CrmRecord>({ kind, seen, save }: Props<R>) {
  const { record } = seen;
  const custom = useCustomFields(kind);
  const others = [
    ...(record.external_id === null ? [] : [[text.externalId, record.external_id]]),
    ...Object.entries(record.metadata),
  ];
  return (
    <section class="record-details" aria-label={text.details}>
      <dl class="fact-list">
        {[...kind.fields, ...custom].map((field) => (
          <EditField
            key={`${String(field.isCustom)} ${field.name}`}
            id={kind.idOf(record)}
            field={field}
            seen={seen}
            {...(save && { save })}
          />
        ))}
        {others.map(([name, value]) => (
          <div key={name} class="fact">
            <dt class="quiet">{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
        <div class="fact">
          <dt class="quiet">{words.contact.since}</dt>
          <dd>
            <Time at={record.created_at} />
          </dd>
        </div>
      </dl>
      <Tags kind={kind} seen={seen} />
    </section>
  );
}

function Tags<R extends CrmRecord>({ kind: { place, idOf }, seen: { record } }: Props<R>) {
  const calls = useCalls();
  const id = idOf(record);
  const toggle = (tag: Tag) => {
    const { next, body } = toggled(record.tags, tag);
    const show = (tags: Tag[]) =>
      patch<Seen<R>>(keyOfRecord(id), (seen) => ({ ...seen, record: { ...seen.record, tags } }));
    void attempt(async () => {
      const now = await calls.POST<R>(`/${place}/{id}/tags`, { params: { path: { id } }, body });
      patch<Seen<R>>(keyOfRecord(id), () => seenAs(now));
      void reloadAll('records ');
    }, show(next));
  };
  return (
    <div class="record-tags">
      {record.tags.map((tag) => (
        <TagMark key={tag.tag_id} tag={tag} />
      ))}
      {may('write') && <TagsMenu class="button slim" of={record.tags} toggle={toggle} />}
    </div>
  );
}
