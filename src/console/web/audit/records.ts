import { addressOf } from '../data/record-address.js';
import type { AuditRecord } from '../data/records.js';

interface Kind {
  /** Of the route that shows one; left out where there is none. */
  route?: string;
  /** The fields that name it. */
  names: string[];
}

/** The kinds of records that leave audit records. */
export const KINDS: Record<string, Kind> = {
  sale: { route: 'sales', names: ['name'] },
  conversation: { route: 'conversations', names: ['subject', 'preview'] },
  message_draft: { route: 'message-drafts', names: ['subject', 'recipient_email'] },
  response_draft: { names: ['recipient_email'] },
  contact: { route: 'contacts', names: ['name', 'email', 'phone_number'] },
  company: { route: 'companies', names: ['name'] },
  task: { route: 'tasks', names: ['title'] },
  api_key: { names: ['name'] },
  channel: { names: ['from_address', 'from_number'] },
  pipeline: { names: [] },
  custom_field: { names: ['label'] },
  webhook: { names: ['url'] },
  tag: { names: ['name'] },
  template: { route: 'templates', names: ['name'] },
  agent: { route: 'agents', names: ['name'] },
};

/** What a record is called, as far as these fields of it tell. */
export const nameAmong = (type: string, fields: Record<string, unknown>): string | undefined =>
  KINDS[type]?.names.map((name) => fields[name]).find((name) => typeof name === 'string' && name !== '') as
    string | undefined;

/** The same, as far as an audit record tells. */
export const nameIn = ({ record, changes }: AuditRecord): string | undefined =>
  nameAmong(record.type, Object.fromEntries(changes.map(({ field, from, to }) => [field, to ?? from])));

/** Where the record is shown; a reply, where its conversation is. */
export function pageOf({ record: { type, id }, changes }: AuditRecord): string | undefined {
  if (type !== 'response_draft') return id === null ? undefined : addressOf(type, id);
  const change = changes.find(({ field }) => field === 'conversation_id');
  const of = change?.to ?? change?.from;
  return typeof of === 'string' ? addressOf('conversation', of) : undefined;
}
