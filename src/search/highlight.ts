import { folded, isAscii } from '#kernel/folded.js';
import { LONGEST_FIELD, type SearchDocument, type SearchField } from './search-document.js';
import { type Alternatives, askedWords, numberOf, type Term } from './search-query.js';
import { addressPart, addressText, digitsOf, isNumber, PIECE, type Word, wordsOf } from './words.js';

/** Hits stand between these characters (contract, section 13). */
const BEGIN = '\uE000';
const END = '\uE001';

/** Characters that a highlight shows at most, and of them before the first hit. */
const LENGTH = 200;
const BEFORE = 60;
/** Hits of a term in a field that are looked for: a highlight has room for no more. */
const MOST_HITS = LENGTH;

export interface Highlight {
  field: string;
  text: string;
}

type Range = [start: number, end: number];

/** What a search has looked at, and what it has cut. */
export interface SearchWork {
  characters: number;
  words: number;
}

/**
 * The pieces of a record's fields in which the query is found; null for a record that does not hold all terms of one of its
 * alternatives, or holds what is excluded.
 */
export function highlightsIn(
  { fields }: SearchDocument,
  alternatives: Alternatives,
  work: SearchWork,
): Highlight[] | null {
  const read = fields.map((field) => new ReadField(field, work));
  if (!holdsQuery(read, alternatives)) return null;
  const terms = alternatives.flat().filter(({ isExcluded }) => !isExcluded);
  const numbers = alternatives.map(numberOf).filter((one) => one !== null);
  return read.flatMap((field): Highlight[] => {
    const hits = merged([
      ...terms.flatMap((term) => field.hits(term)),
      ...numbers.flatMap((number) => numberHits(field, number)),
    ]);
    return hits.length === 0 ? [] : [{ field: field.name, text: shown(field.text, hits) }];
  });
}

function holdsQuery(read: ReadField[], alternatives: Alternatives): boolean {
  const has = (term: Term) => read.some((field) => field.hits(term).length > 0);
  return alternatives.some((terms) => {
    if (terms.some((term) => term.isExcluded && has(term))) return false;
    if (terms.every((term) => term.isExcluded || has(term))) return true;
    const number = numberOf(terms);
    return number !== null && read.some((field) => numberHits(field, number).length > 0);
  });
}

/** A field in which terms are looked for, each once. */
class ReadField {
  readonly name: string;
  readonly text: string;
  readonly kind: SearchField['kind'];
  readonly key: string | null | undefined;
  private readonly found = new Map<Term, Range[]>();
  private words: Word[] | null = null;
  private plain: string | null = null;

  constructor(
    { name, text, kind, key }: SearchField,
    private readonly work: SearchWork,
  ) {
    this.name = name;
    this.text = (text ?? '').slice(0, LONGEST_FIELD).replace(/[\uE000\uE001]/g, '');
    this.kind = kind;
    this.key = key;
    work.characters += this.text.length;
  }

  hits(term: Term): Range[] {
    const known = this.found.get(term);
    if (known) return known;
    const hits = [
      ...this.wordHits(term),
      ...(this.kind === 'address' ? addressHits(this.text, term.text) : []),
      ...numberHits(this, term.text),
    ];
    this.found.set(term, hits);
    return hits;
  }

  private wordHits(term: Term): Range[] {
    const wanted = askedWords(term.text);
    return this.mayHold(wanted) ? wordHits(this.allWords(), wanted, term.isPrefix) : [];
  }

  /** To look for a piece of text takes a tenth of cutting it into words. Of words that are not ASCII, folding may join pieces. */
  private mayHold(wanted: Word[]): boolean {
    this.plain ??= folded(this.text);
    const text = this.plain;
    return wanted.every(({ word }) => !isAscii(word) || text.includes(word));
  }

  private allWords(): Word[] {
    if (this.words === null) {
      this.words = wordsOf(this.text);
      this.work.words += this.words.length;
    }
    return this.words;
  }
}

const numberHits = (
  { kind, text, key }: Pick<SearchField, 'kind' | 'key'> & { text: string },
  number: string,
): Range[] => (kind === 'number' ? digitHits(text, key ?? '', number) : []);

function wordHits(words: Word[], wanted: Word[], isPrefix: boolean): Range[] {
  const hits: Range[] = [];
  for (let first = 0; first + wanted.length <= words.length; first++) {
    const isHit = wanted.every(({ word, isHalfPair }, index) => {
      const there = words[first + index]!.word;
      const begins = index === wanted.length - 1 && (isPrefix || isHalfPair);
      return begins ? there.startsWith(word) : there === word;
    });
    if (isHit) hits.push([words[first]!.start, words[first + wanted.length - 1]!.end]);
    // More than a highlight shows.
    if (hits.length === MOST_HITS) break;
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
