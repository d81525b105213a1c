import { changedQuery, href } from './route.js';
import { isOperator } from './session.js';

const PLACES: Record<string, string> = {
  contact: 'contacts',
  company: 'companies',
  conversation: 'inbox',
  sale: 'pipeline',
  task: 'tasks',
};

/** The page of a record; undefined for a kind that has none, and for operators, who see no records. */
export function addressOf(type: string, id: string, query: Record<string, string> = {}): string | undefined {
  const place = isOperator() ? undefined : PLACES[type];
  return place && href([place, id], { org: changedQuery({}).get('org'), ...query });
}

/** The kinds of records by how their ids begin. */
const PREFIXES: Record<string, string> = { conv: 'conversation' };

/** The kind of the record that an id names, where the text is one. */
export function kindOfId(text: string): string | undefined {
  const prefix = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/.exec(text)?.[1];
  return prefix && (PREFIXES[prefix] ?? prefix);
}

/** The page of the record that an id names. */
export function addressOfId(text: string): string | undefined {
  const kind = kindOfId(text);
  return kind && addressOf(kind, text);
}
