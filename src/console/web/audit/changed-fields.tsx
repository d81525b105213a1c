import type { AuditRecord } from '../data/records.js';
import { toText } from '../inbox/reply-text.js';
import { fieldName } from '../parts/field-name.js';
import { words } from '../words/words.js';
import { apart, type ChangedList, type ChangedValue, type Line, linesOf } from './lines.js';
import { isNothing } from './short-value.js';
import { Value } from './value.js';

const { audit: text } = words;

interface Props {
  changes: AuditRecord['changes'];
  action: AuditRecord['action_type'];
}

/** Every field that changed: what is gone, and what is there in its place. */
export function ChangedFields({ changes, action }: Props) {
  const lines = changes.flatMap(linesOf).filter((line) => action === 'update' || hasContent(line));
  return (
    <table class="changes">
      <caption class="only-read">{text.changes}</caption>
      <thead>
        <tr>
          <th scope="col">{text.field}</th>
          {action !== 'insert' && <th scope="col">{text.before}</th>}
          {action !== 'delete' && <th scope="col">{text.after}</th>}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.path.join(' ')}>
            <th scope="row" title={line.path.join('.')}>
              {line.path.map(fieldName).join(' › ')}
            </th>
            {'added' in line ? <Items line={line} action={action} /> : <Values line={line} action={action} />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Of a record that is made or gone, fields without a value say nothing. */
const hasContent = (line: Line): boolean =>
  'added' in line
    ? line.added.length + line.removed.length > 0
    : !isNothing(line.from) || !isNothing(line.to);

function Values({ line: { path, from, to }, action }: { line: ChangedValue; action: Props['action'] }) {
  const field = path.at(-1)!;
  const parts = typeof from === 'string' && typeof to === 'string' ? partsOf(field, from, to) : null;
  return (
    <>
      {action !== 'insert' && (
        <td>
          {parts ? <Text {...parts} changed={parts.from} is="del" /> : <Value field={field} value={from} />}
        </td>
      )}
      {action !== 'delete' && (
        <td>
          {parts ? <Text {...parts} changed={parts.to} is="ins" /> : <Value field={field} value={to} />}
        </td>
      )}
    </>
  );
}

/** Texts of several words that have some in common are shown with what differs marked; HTML as its text, where that differs. */
function partsOf(field: string, from: string, to: string) {
  const words = field.endsWith('_html') ? ([toText(from), toText(to)] as const) : ([from, to] as const);
  const parts = words[0] === words[1] ? apart(from, to) : apart(...words);
  return /\s/.test(from) && parts.start.length + parts.end.length > 0 ? parts : null;
}

const Text = ({
  start,
  changed,
  end,
  is: Is,
}: {
  start: string;
  changed: string;
  end: string;
  is: 'del' | 'ins';
}) => (
  <span class="changed-text" dir="auto">
    {start}
    {changed !== '' && <Is>{changed}</Is>}
    {end}
  </span>
);

function Items({
  line: { path, removed, added, kept },
  action,
}: {
  line: ChangedList;
  action: Props['action'];
}) {
  const field = path.at(-1)!;
  const list = (items: unknown[], sign: string) => (
    <td>
      <ul class="changed-items">
        {items.map((item, index) => (
          <li key={index}>
            {action === 'update' && <span class="quiet">{sign} </span>}
            <Value field={field} value={item} />
          </li>
        ))}
      </ul>
      {sign === '+' && action === 'update' && kept > 0 && <span class="quiet small">{text.kept(kept)}</span>}
    </td>
  );
  return (
    <>
      {action !== 'insert' && list(removed, '−')}
      {action !== 'delete' && list(added, '+')}
    </>
  );
}
