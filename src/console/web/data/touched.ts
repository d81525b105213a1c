/** What an event is of. */
export interface Of {
  type: string;
  id: string;
}

/**
 * By the first word of a key of the store: the kinds of records whose events change what it keeps. What is not named here
 * may be changed by any event.
 */
const CHANGED_BY: Record<string, readonly string[]> = {
  agents: [],
  organization: [],
  tags: ['tag'],
  templates: ['template'],
  list: ['conversation', 'contact'],
  conversation: ['conversation', 'contact'],
  conversations: ['conversation'],
  messages: ['conversation'],
  comments: ['comment'],
  reply: ['draft', 'file'],
  contact: ['contact', 'company'],
  // Events stay what they are.
  event: [],
  past: [],
};

/** Whether an event may have changed what a key of the store keeps. */
export function isTouched(key: string, { type, id }: Of): boolean {
  const kinds = CHANGED_BY[key.split(' ', 1)[0]!];
  if (kinds === undefined) return true;
  return kinds.includes(type) && !isOfAnother(key, id);
}

/** Whether the key names a record of the same kind, and not this one. */
const isOfAnother = (key: string, id: string): boolean =>
  key.includes(id.slice(0, id.indexOf('_') + 1)) && !key.includes(id);
