import { addressOfId, kindOfId } from '../data/record-address.js';
import { toText } from '../inbox/reply-text.js';
import { useAgents } from '../inbox/use-conversations.js';
import { fieldName } from '../parts/field-name.js';
import { Time } from '../parts/states.js';
import { words } from '../words/words.js';
import { useRecordName } from './use-record-name.js';
import { isInstant, isNothing, NAMES, shortValue } from './short-value.js';

/** A value as people read it: agents by name, ids as links, objects by their keys. */
export function Value({ field, value }: { field: string; value: unknown }) {
  if (isNothing(value)) return <span class="quiet">{words.audit.empty}</span>;
  if (isInstant(value)) return <Time at={value} />;
  if (typeof value === 'string') return <Words field={field} text={value} />;
  if (typeof value !== 'object') return <span>{shortValue(value)}</span>;
  if (Array.isArray(value))
    return (
      <ul class="changed-items">
        {(value as unknown[]).map((item, index) => (
          <li key={index}>
            <Value field={field} value={item} />
          </li>
        ))}
      </ul>
    );
  return (
    <dl class="changed-object">
      {named(value as Record<string, unknown>).map(([key, one]) => (
        <div key={key}>
          <dt class="quiet">{fieldName(key)}</dt>
          <dd>
            <Value field={key} value={one} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The entries of an object, what it is called first. */
const named = (value: Record<string, unknown>): [string, unknown][] =>
  Object.entries(value).sort(([one], [other]) => Number(NAMES.includes(other)) - Number(NAMES.includes(one)));

function Words({ field, text }: { field: string; text: string }) {
  const agents = useAgents();
  const agent = agents.find(({ agent_id }) => agent_id === text);
  if (agent) return <span title={text}>{agent.name}</span>;
  const page = addressOfId(text);
  if (page !== undefined) return <Linked id={text} page={page} />;
  const shown = field.endsWith('_html') ? toText(text) : text;
  return (
    <span class="changed-text" dir="auto" title={shown === text ? undefined : text}>
      {shown}
    </span>
  );
}

/** A record that a value names. */
function Linked({ id, page }: { id: string; page: string }) {
  const name = useRecordName(kindOfId(id)!, id);
  return (
    <a href={page} title={id} class="changed-text" dir="auto">
      {name ?? id}
    </a>
  );
}
