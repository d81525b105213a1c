import type { AuditLogResponse } from '../audit/audit.contract.js';

/** The longest value that a line shows whole. */
const LONGEST = 60;

const VERBS: Record<string, string> = { insert: 'made', update: 'changed', delete: 'deleted' };

/** A record of the audit log in a line that a person reads: when, who, what, which fields, and by which request. */
export function auditLine(record: AuditLogResponse & { organization_id?: string }): string {
  const { occurred_at, action_type, record: changed, request_id, reason, organization_id } = record;
  const what = `${changed.type.replaceAll('_', ' ')} ${changed.id}`;
  const did =
    reason === 'promoted' ? `sent ${what}, which is a message now` : `${VERBS[action_type]} ${what}`;
  const fields = reason === 'promoted' ? '' : fieldsOf(record);
  const where = organization_id === undefined ? '' : ` in ${organization_id}`;
  const request = request_id === null ? '' : `  [${printable(request_id)}]`;
  return `${occurred_at.slice(0, 19).replace('T', ' ')}Z  ${actorOf(record)} ${did}${fields && `: ${fields}`}${where}${request}`;
}

function actorOf({ actor, key_id }: AuditLogResponse): string {
  const name = actor.name === null ? actor.id : printable(actor.name);
  switch (actor.type) {
    case 'agent':
      return key_id === null ? `${name}` : `${name} (with ${key_id})`;
    case 'system':
      return 'Parley';
    case 'operator':
      return 'An operator';
    default:
      return `${actor.type === 'key' ? 'Key' : 'Provider'} ${name ?? '(unknown)'}`;
  }
}

function fieldsOf({ action_type, changes }: AuditLogResponse): string {
  // The present stage says it in a word.
  const names = changes.map(({ field }) => field);
  const shown = changes.filter(
    ({ field }) => field !== 'status_history' || !names.includes('current_status'),
  );
  return shown
    .map(({ field, from, to }) => {
      if (action_type === 'insert') return `${field} ${valueOf(to)}`;
      if (action_type === 'delete') return `${field} ${valueOf(from)}`;
      return `${field} ${valueOf(from)} → ${valueOf(to)}`;
    })
    .join(', ');
}

function valueOf(value: unknown): string {
  if (value === null) return 'none';
  const label = (value as { label?: unknown }).label;
  const text = printable(JSON.stringify(typeof label === 'string' ? label : value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Without characters that would move the cursor, colour what follows, or turn its direction. */
const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (one) => `\\u${one.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );
