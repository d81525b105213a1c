import { othersTurn } from '#batching/turns.js';
import type { Instant } from '#kernel/instant.js';
import { isAscii } from '#kernel/folded.js';
import { addressText, digitsOf, isPair, MOST_WORDS, partsOf, piecesOf, wordsOf } from './words.js';

/** A field that a record is found by. */
export interface SearchField {
  name: string;
  text: string | null;
  /** Addresses and numbers are found by any part; a title counts more than a text, which is the default. */
  kind?: 'title' | 'text' | 'address' | 'number';
  /** Of a number: the same in E.164, by which it is found, too. */
  key?: string | null;
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
}

export const SEARCH_TYPES = [
  'contact',
  'company',
  'conversation',
  'message',
  'draft',
  'sale',
  'task',
  'comment',
] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

/** Characters of a field that are found. */
export const LONGEST_FIELD = 200_000;
/** Tokens of a document at most: enough for a novel. */
const MOST_TOKENS = 50_000;
/** Characters by which beginnings of words are found. */
const BEGINNING = 3;

/** What a token stands for. A mark before it keeps words, pieces and filters apart. */
export const TOKEN = {
  word: (word: string): number => hash(word),
  titleWord: (word: string): number => hash(`!${word}`),
  beginning: (word: string): number => hash(`*${beginningOf(word)}`),
  address: (piece: string): number => hash(`@${piece}`),
  number: (piece: string): number => hash(`#${piece}`),
  organization: (id: string): number => hash(`^${id}`),
  type: (type: string): number => hash(`=${type}`),
  agent: (id: string): number => hash(`&${id}`),
  contact: (id: string): number => hash(`$${id}`),
  modality: (modality: string): number => hash(`%${modality}`),
};

/** FNV-1a of 32 bits (draft-eastlake-fnv), as a signed integer. Two texts may share one: what is found is compared again. */
function hash(text: string): number {
  let result = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) result = Math.imul(result ^ text.charCodeAt(at), 0x01000193);
  return result;
}

/** The beginning by which a word is found; of a pair its first character. */
const beginningOf = (word: string): string =>
  isPair(word)
    ? [...word][0]!
    : isAscii(word)
      ? word.slice(0, BEGINNING)
      : [...word].slice(0, BEGINNING).join('');

/**
 * What the document is found by, in order, each once: its words, their beginnings, pieces of addresses and numbers, and filters. Others
 * have their turn while a long text is cut.
 */
export async function tokensOf(organizationId: string, document: SearchDocument): Promise<number[]> {
  const { type, agent_id, contact_ids, modality } = document;
  const tokens = new Set([
    TOKEN.organization(organizationId),
    TOKEN.type(type),
    ...(agent_id === null ? [] : [TOKEN.agent(agent_id)]),
    ...contact_ids.map(TOKEN.contact),
    ...(modality === null ? [] : [TOKEN.modality(modality)]),
  ]);
  for (const { text, kind = 'text', key } of document.fields) {
    if (!text || tokens.size > MOST_TOKENS) continue;
    let known = 0;
    for (const part of partsOf(text.slice(0, LONGEST_FIELD))) {
      if (known > 0) await othersTurn();
      if (known >= MOST_WORDS) break;
      for (const { word } of wordsOf(part)) {
        known++;
        tokens.add(TOKEN.word(word)).add(TOKEN.beginning(word));
        if (kind === 'title') tokens.add(TOKEN.titleWord(word));
      }
    }
    if (kind === 'address') for (const piece of piecesOf(addressText(text))) tokens.add(TOKEN.address(piece));
    if (kind === 'number')
      for (const number of [text, key ?? ''])
        for (const piece of piecesOf(digitsOf(number))) tokens.add(TOKEN.number(piece));
  }
  return [...Int32Array.from(tokens).sort()];
}

/** Whether there is anything to find the record by. */
export const hasWords = ({ fields }: SearchDocument): boolean =>
  fields.some(({ text }) => text !== null && /[\p{L}\p{N}]/u.test(text));
