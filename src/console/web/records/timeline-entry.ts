import type { TimelineEntry } from '../data/records.js';
import { addressOf } from '../data/record-address.js';
import { changedQuery, href } from '../data/route.js';
import { fieldName } from '../parts/field-name.js';
import { type IconName, modalityIcon } from '../parts/icon.js';
import { words } from '../words/words.js';

const { contact: text } = words;

export const keyOfEntry = ({ type, id, occurred_at }: TimelineEntry): string =>
  `${type} ${id} ${occurred_at}`;

export const kindOf = ({ type, direction, action_type }: TimelineEntry): string => {
  if (type === 'message') return text.event[direction ?? 'received'];
  return action_type === 'insert' ? text.event.made : text.event[type];
};

export const titleOf = (entry: TimelineEntry): string =>
  entry.subject ??
  entry.title ??
  entry.label ??
  entry.name ??
  entry.preview ??
  (entry.action_type === 'insert'
    ? ''
    : (entry.changes?.map(({ field }) => fieldName(field)).join(', ') ?? ''));

const ICONS: Record<TimelineEntry['type'], IconName> = {
  message: 'text',
  draft: 'edit',
  sale: 'pipeline',
  stage: 'pipeline',
  task: 'task',
  comment: 'note',
  change: 'audit',
};

export const iconOf = ({ type, modality }: TimelineEntry): IconName =>
  type === 'message' && modality ? modalityIcon(modality) : ICONS[type];

/** Where an entry leads; undefined for what has no page of its own. */
export function targetOf({ type, id, conversation_id }: TimelineEntry): string | undefined {
  if (conversation_id) return addressOf('conversation', conversation_id);
  if (type === 'change') return href(['audit', id], { org: changedQuery({}).get('org') });
  return addressOf(type === 'stage' ? 'sale' : type, id);
}
