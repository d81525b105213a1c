import type { Instant } from '#kernel/instant.js';
import { addressText, digitsOf, piecesOf, wordsOf } from './words.js';

/** A field that a record is found by. */
export interface SearchField {
  name: string;
  text: string | null;
  /** Addresses and numbers are found by any part; a title counts more than a text, which is the default. */
  kind?: 'title' | 'text' | 'address' | 'number';
}

/** What search knows of a record. */
export interface SearchDocument {
  type: SearchType;
  title: string;
  conversation_id: string | null;
  occurred_at: Instant;
  agent_id: string | null;
  /** Contacts that the record is about. */
  contact_ids: string[];
  modality: string | null;
  fields: SearchField[];
  /** Set where the document is only for a record that has none yet. */
  isOnlyFirst?: boolean;
}

export const SEARCH_TYPES = [
  'contact',
  'company',
  'conversation',
  'message',
  'draft',
  'sale',
  'task',
] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

/** Characters of a field that are indexed. */
const LONGEST_FIELD = 200_000;
/** PostgreSQL has room for positions up to this one, and for so many bytes of words in a document (textsearch limits). */
const LAST_POSITION = 16_383;
const MOST_BYTES = 900_000;
const MOST_POSITIONS = 256;

/** Lexemes that no word can be: a mark, and what it tells of the document. */
export const MARK = {
  organization: (id: string): string => `^${id.slice(id.indexOf('_') + 1)}`,
  type: (type: string): string => `=${type}`,
  agent: (id: string): string => `&${id.slice(id.indexOf('_') + 1)}`,
  contact: (id: string): string => `$${id.slice(id.indexOf('_') + 1)}`,
  modality: (modality: string): string => `%${modality}`,
  address: (piece: string): string => `@${piece}`,
  number: (piece: string): string => `#${piece}`,
};

/** A lexeme as PostgreSQL reads it in a tsvector and a tsquery. */
export const quoted = (lexeme: string): string =>
  /['\\]/.test(lexeme) ? `'${lexeme.replace(/['\\]/g, '\\$&')}'` : `'${lexeme}'`;

/** The document as a tsvector: its words with their places, titles with weight A, pieces of addresses and numbers, and marks. */
export function vectorOf(organizationId: string, document: SearchDocument): string {
  const places = new Map<string, string[]>();
  let bytes = 0;
  let position = 1;
  const add = (lexeme: string, weight: string) => {
    const known = places.get(lexeme);
    // At most three bytes for a UTF-16 code unit.
    if (!known) bytes += 3 * lexeme.length + 4;
    if (bytes > MOST_BYTES) return;
    const at = known ?? [];
    if (!known) places.set(lexeme, at);
    if (position <= LAST_POSITION && at.length < MOST_POSITIONS) {
      at.push(`${position}${weight}`);
      bytes += 2;
    }
    position++;
  };
  const marks = [
    MARK.organization(organizationId),
    MARK.type(document.type),
    ...(document.agent_id === null ? [] : [MARK.agent(document.agent_id)]),
    ...document.contact_ids.map(MARK.contact),
    ...(document.modality === null ? [] : [MARK.modality(document.modality)]),
  ];
  for (const mark of new Set(marks)) places.set(mark, []);
  for (const { text, kind = 'text' } of document.fields) {
    if (!text) continue;
    const weight = kind === 'title' ? 'A' : '';
    for (const { word } of wordsOf(text.slice(0, LONGEST_FIELD))) add(word, weight);
    // No phrase goes on from one field to the next.
    position++;
    if (kind === 'address') for (const piece of piecesOf(addressText(text))) add(MARK.address(piece), '');
    if (kind === 'number') for (const piece of piecesOf(digitsOf(text))) add(MARK.number(piece), '');
    position++;
  }
  return [...places]
    .map(([lexeme, at]) => quoted(lexeme) + (at.length > 0 ? `:${at.join(',')}` : ''))
    .join(' ');
}

/** Whether there is anything to find the record by. */
export const hasWords = ({ fields }: SearchDocument): boolean =>
  fields.some(({ text }) => text !== null && /[\p{L}\p{N}]/u.test(text));
