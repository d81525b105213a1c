import type { AuditRecord } from '../data/records.js';
import { words } from '../words/words.js';

const { audit: text } = words;

/** What was done, as a person says it: a draft that is gone was sent or discarded. */
export function sentenceOf({
  record: { type },
  action_type,
  reason,
}: Pick<AuditRecord, 'record' | 'action_type' | 'reason'>): string {
  const kind = text.kind[type] ?? type;
  if (reason === 'promoted') return text.sentence(kind, 'sent');
  if (!type.endsWith('_draft') || action_type === 'update') return text.sentence(kind, action_type);
  return text.sentence(kind, action_type === 'insert' ? 'drafted' : 'discarded');
}
