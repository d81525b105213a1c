import { changedQuery, href } from '../data/route.js';
import { useAgents } from '../inbox/use-conversations.js';
import { number, day } from '../format.js';
import { Time } from '../parts/states.js';
import { words } from '../words/words.js';
import { companyKind } from '../companies/kind.js';
import { type Field, textOf } from './kind.js';
import { useRecord } from './use-records.js';

/** A value as people read it; `linked`, it leads to what it names. */
export function ShownValue({ field, value, linked }: { field: Field; value: unknown; linked?: boolean }) {
  if (value === null || value === undefined || value === '')
    return <span class="quiet">{words.contact.none}</span>;
  if (field.type === 'company') return <CompanyName id={textOf(value)} linked={linked} />;
  if (field.type === 'instant') return <Time at={textOf(value)} />;
  if (field.type === 'agent') return <AgentName id={textOf(value)} />;
  return (
    <span dir="auto" class="shown">
      {field.type === 'email' && linked ? (
        <a href={`mailto:${textOf(value)}`}>{textOf(value)}</a>
      ) : (
        plain(field, value)
      )}
    </span>
  );
}

function plain({ type }: Field, value: unknown): string {
  if (typeof value === 'boolean') return value ? words.records.yes : words.records.no;
  if (typeof value === 'number') return number(value);
  if (type === 'date') return day(textOf(value));
  return textOf(value);
}

function CompanyName({ id, linked }: { id: string; linked?: boolean }) {
  const { data } = useRecord(companyKind, id);
  const name = data?.record.name ?? id;
  if (!linked) return <span dir="auto">{name}</span>;
  return (
    <a href={href(['companies', id], { org: changedQuery({}).get('org') })} dir="auto">
      {name}
    </a>
  );
}

const AgentName = ({ id }: { id: string }) => (
  <span>{useAgents().find(({ agent_id }) => agent_id === id)?.name ?? id}</span>
);
