import type { CrmRecord } from '../data/records.js';
import { Icon } from '../parts/icon.js';
import { TagMark } from '../parts/tag.js';
import { words } from '../words/words.js';
import type { Field, Kind } from './kind.js';
import { type MergedField, mergedFields } from './merged-fields.js';
import { ShownValue } from './shown-value.js';
import { useCustomFields } from './use-records.js';

const { records: text } = words;
const EXTERNAL_ID: Field = { name: 'external_id', label: text.externalId, type: 'text' };

interface Props<R extends CrmRecord> {
  kind: Kind<R>;
  stays: R;
  ends: R;
}

/** The fields of two records side by side; a check marks the value that there is afterwards. */
export function MergedTable<R extends CrmRecord>({ kind, stays, ends }: Props<R>) {
  const custom = useCustomFields(kind);
  const fields = mergedFields(stays, ends, [...kind.fields, ...custom, EXTERNAL_ID]);
  return (
    <table class="merged">
      <caption class="only-read">{kind.text.mergeTitle}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="only-read">{text.field}</span>
          </th>
          <th scope="col">{text.stays}</th>
          <th scope="col">{text.ends}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((merged) => (
          <Row key={`${String(merged.field.isCustom)} ${merged.field.name}`} merged={merged} />
        ))}
        {stays.tags.length + ends.tags.length > 0 && (
          <tr>
            <th scope="row">{words.acts.tags}</th>
            {[stays, ends].map(({ tags }, column) => (
              <td key={column}>
                {tags.length > 0 && <Kept />}
                {tags.map((tag) => (
                  <TagMark key={tag.tag_id} tag={tag} />
                ))}
              </td>
            ))}
          </tr>
        )}
      </tbody>
    </table>
  );
}

const Row = ({ merged: { field, values, kept, isLost } }: { merged: MergedField }) => (
  <tr>
    <th scope="row">{field.label}</th>
    {values.map((value, column) => (
      <td key={column} class={column === kept ? 'is-kept' : 'quiet'}>
        {column === kept && <Kept />}
        <ShownValue field={field} value={value} />
        {column !== kept && isLost && <span class="small waiting not-kept">{text.notKept}</span>}
      </td>
    ))}
  </tr>
);

const Kept = () => (
  <>
    <Icon name="check" size={14} />
    <span class="only-read">{text.kept}</span>
  </>
);
