import type { SearchDocument, SearchField } from './search-document.js';
import { type Alternatives, numberOf, type Term } from './search-query.js';
import { addressPart, addressText, digitsOf, isNumber, isPair, PIECE, type Word, wordsOf } from './words.js';

/** Hits stand between these characters (contract, section 13). */
const BEGIN = '\uE000';
const END = '\uE001';

/** Characters that a highlight shows at most, and of them before the first hit. */
const LENGTH = 200;
const BEFORE = 60;
/** Characters of a text that are looked through. */
const LONGEST = 200_000;

export interface Highlight {
  field: string;
  text: string;
}

type Range = [start: number, end: number];

/** The pieces of a record's fields in which the query is found. */
export function highlightsOf({ fields }: SearchDocument, alternatives: Alternatives): Highlight[] {
  const terms = alternatives.flat().filter(({ isExcluded }) => !isExcluded);
  const numbers = alternatives.map(numberOf).filter((one) => one !== null);
  return fields.flatMap((field): Highlight[] => {
    const text = (field.text ?? '').slice(0, LONGEST).replace(/[\uE000\uE001]/g, '');
    const hits = merged(hitsIn({ ...field, text }, terms, numbers));
    return hits.length === 0 ? [] : [{ field: field.name, text: shown(text, hits) }];
  });
}

function hitsIn({ text, kind }: SearchField & { text: string }, terms: Term[], numbers: string[]): Range[] {
  const words = wordsOf(text);
  return [
    ...terms.flatMap((term) => [
      ...wordHits(words, term),
      ...(kind === 'address' ? addressHits(text, term.text) : []),
      ...(kind === 'number' ? digitHits(text, term.text) : []),
    ]),
    ...(kind === 'number' ? numbers.flatMap((number) => digitHits(text, number)) : []),
  ];
}

function wordHits(words: Word[], { text, isPrefix }: Term): Range[] {
  const asked = wordsOf(text);
  const wanted = asked.length > 1 && isPair(asked.at(-1)!.word) ? asked.slice(0, -1) : asked;
  const hits: Range[] = [];
  for (let first = 0; first + wanted.length <= words.length; first++) {
    const isHit = wanted.every(({ word }, index) => {
      const there = words[first + index]!.word;
      const begins = index === wanted.length - 1 && (isPrefix || (isPair(word) && [...word].length === 1));
      return begins ? there.startsWith(word) : there === word;
    });
    if (isHit) hits.push([words[first]!.start, words[first + wanted.length - 1]!.end]);
  }
  return hits;
}

function addressHits(text: string, part: string): Range[] {
  const wanted = addressPart(part);
  const start = addressText(text).indexOf(wanted);
  // Folding may change the length of what is not ASCII: then the place is not known.
  if (start < 0 || [...wanted].length < PIECE || addressText(text).length !== text.length) return [];
  return [[start, start + wanted.length]];
}

function digitHits(text: string, part: string): Range[] {
  if (!isNumber(part)) return [];
  const places = [...text.matchAll(/\d/g)].map(({ index }) => index);
  const digits = places.map((at) => text[at]).join('');
  const wanted = digitsOf(part);
  const start = wanted.length < PIECE ? -1 : digits.indexOf(wanted);
  return start < 0 ? [] : [[places[start]!, places[start + wanted.length - 1]! + 1]];
}

/** The ranges in order, those that meet as one. */
function merged(ranges: Range[]): Range[] {
  const result: Range[] = [];
  for (const [start, end] of ranges.sort(([one], [other]) => one - other)) {
    const last = result.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** The text around the first hits, white space folded, each hit marked. */
function shown(text: string, hits: Range[]): string {
  const begin = wholeFrom(text, Math.max(0, hits[0]![0] - BEFORE));
  const end = wholeFrom(text, Math.min(text.length, Math.max(begin + LENGTH, hits[0]![1])));
  let result = begin > 0 ? '…' : '';
  let at = begin;
  for (const [start, stop] of hits.filter(([, stop]) => stop <= end)) {
    result += text.slice(at, start) + BEGIN + text.slice(start, stop) + END;
    at = stop;
  }
  result += text.slice(at, end) + (end < text.length ? '…' : '');
  return result.replace(/\s+/gu, ' ').trim();
}

/** The place itself, or the one before it where it would cut a character in two. */
const wholeFrom = (text: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(text[at] ?? '') && at > 0 ? at - 1 : at;
