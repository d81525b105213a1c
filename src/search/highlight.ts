import { LONGEST_FIELD, type SearchDocument, type SearchField } from './search-document.js';
import { type Alternatives, askedWords, numberOf, type Term } from './search-query.js';
import { addressPart, addressText, digitsOf, isNumber, PIECE, type Word, wordsOf } from './words.js';

/** Hits stand between these characters (contract, section 13). */
const BEGIN = '\uE000';
const END = '\uE001';

/** Characters that a highlight shows at most, and of them before the first hit. */
const LENGTH = 200;
const BEFORE = 60;

export interface Highlight {
  field: string;
  text: string;
}

type Range = [start: number, end: number];

/** A field with its words. */
interface Read extends SearchField {
  text: string;
  words: Word[];
}

/** Whether the record holds the query: all terms of one of its alternatives, and none that is excluded. */
export function holdsQuery({ fields }: SearchDocument, alternatives: Alternatives): boolean {
  const read = fields.map(readField);
  const has = (term: Term) => read.some((field) => termHits(field, term).length > 0);
  return alternatives.some((terms) => {
    if (terms.some((term) => term.isExcluded && has(term))) return false;
    if (terms.every((term) => term.isExcluded || has(term))) return true;
    const number = numberOf(terms);
    return number !== null && read.some((field) => numberHits(field, number).length > 0);
  });
}

/** The pieces of a record's fields in which the query is found. */
export function highlightsOf({ fields }: SearchDocument, alternatives: Alternatives): Highlight[] {
  const terms = alternatives.flat().filter(({ isExcluded }) => !isExcluded);
  const numbers = alternatives.map(numberOf).filter((one) => one !== null);
  return fields.map(readField).flatMap((field): Highlight[] => {
    const hits = merged([
      ...terms.flatMap((term) => termHits(field, term)),
      ...numbers.flatMap((number) => numberHits(field, number)),
    ]);
    return hits.length === 0 ? [] : [{ field: field.name, text: shown(field.text, hits) }];
  });
}

function readField(field: SearchField): Read {
  const text = (field.text ?? '').slice(0, LONGEST_FIELD).replace(/[\uE000\uE001]/g, '');
  return { ...field, text, words: wordsOf(text) };
}

const termHits = (field: Read, term: Term): Range[] => [
  ...wordHits(field.words, term),
  ...(field.kind === 'address' ? addressHits(field.text, term.text) : []),
  ...numberHits(field, term.text),
];

const numberHits = ({ kind, text, key }: Read, number: string): Range[] =>
  kind === 'number' ? digitHits(text, key ?? '', number) : [];

function wordHits(words: Word[], { text, isPrefix }: Term): Range[] {
  const wanted = askedWords(text);
  const hits: Range[] = [];
  for (let first = 0; first + wanted.length <= words.length; first++) {
    const isHit = wanted.every(({ word, isHalfPair }, index) => {
      const there = words[first + index]!.word;
      const begins = index === wanted.length - 1 && (isPrefix || isHalfPair);
      return begins ? there.startsWith(word) : there === word;
    });
    if (isHit) hits.push([words[first]!.start, words[first + wanted.length - 1]!.end]);
  }
  return hits;
}

function addressHits(text: string, part: string): Range[] {
  const wanted = addressPart(part);
  const start = addressText(text).indexOf(wanted);
  // Folding may change the length of what is not ASCII: then the place is not known, and all of it is marked.
  if (start < 0 || [...wanted].length < PIECE) return [];
  return addressText(text).length === text.length ? [[start, start + wanted.length]] : [[0, text.length]];
}

function digitHits(text: string, key: string, part: string): Range[] {
  if (!isNumber(part)) return [];
  const places = [...text.matchAll(/\d/g)].map(({ index }) => index);
  const digits = places.map((at) => text[at]).join('');
  const wanted = digitsOf(part);
  if (wanted.length < PIECE) return [];
  const start = digits.indexOf(wanted);
  if (start >= 0) return [[places[start]!, places[start + wanted.length - 1]! + 1]];
  // A country that is not written has no place in the text: all of it is marked.
  return digitsOf(key).includes(wanted) ? [[0, text.length]] : [];
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
