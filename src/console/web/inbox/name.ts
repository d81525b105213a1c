import type { Conversation } from '../data/records.js';
import { words } from '../words/words.js';

/** What to call the contact of a conversation. */
export const nameOf = ({ contact }: Pick<Conversation, 'contact'>): string =>
  contact?.name || contact?.email || contact?.phone_number || words.inbox.unnamed;
