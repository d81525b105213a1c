import { addressPart, digitsOf, isNumber, isPair, PIECE, piecesOf, wordsOf } from './words.js';
import { MARK, quoted } from './search-document.js';

/** One thing that is looked for. */
export interface Term {
  /** As it is written, without its operators. */
  text: string;
  isPhrase: boolean;
  isPrefix: boolean;
  isExcluded: boolean;
}

/** A query as people write it: one of the alternatives must hold, and of an alternative all terms. */
export type Alternatives = Term[][];

/** More terms than anybody writes; the rest is not looked at. */
const MOST_TERMS = 50;
/** Longer parts of addresses are compared by their beginning. */
const MOST_PIECES = 60;

/** `"a phrase"`, `-without`, `or`, `prefix*`; a number with its spaces and brackets is one term. */
const TERMS = /(-?)"([^"]*)"?|(-?)([^\s"]+)/gu;

/**
 * Reads a query. Null when it looks for nothing: it is empty, or an alternative only says what must not be there. `or` binds
 * weaker than what stands side by side, as in PostgreSQL's `websearch_to_tsquery`.
 */
export function readQuery(q: string): Alternatives | null {
  const alternatives: Alternatives = [[]];
  for (const [, notPhrase, phrase, notWord, word] of [...q.matchAll(TERMS)].slice(0, MOST_TERMS)) {
    if (word !== undefined && /^or$/i.test(word) && notWord === '') alternatives.push([]);
    else {
      const isPhrase = word === undefined;
      const text = isPhrase ? phrase! : word;
      const isPrefix = !isPhrase && text.length > 1 && text.endsWith('*');
      const isExcluded = (isPhrase ? notPhrase : notWord) === '-';
      const term = {
        text: isPrefix ? text.slice(0, text.indexOf('*')) : text,
        isPhrase,
        isPrefix,
        isExcluded,
      };
      if (wordsOf(term.text).length > 0) alternatives.at(-1)!.push(term);
    }
  }
  const named = alternatives.filter((terms) => terms.length > 0);
  const looks = named.every((terms) => terms.some(({ isExcluded }) => !isExcluded));
  return named.length > 0 && looks ? named : null;
}

/** The query as a tsquery; with `weight` only words of that weight count, and no part of an address or number. */
export const tsqueryOf = (alternatives: Alternatives, weight = ''): string =>
  alternatives.map((terms) => allOf(terms, weight)).join(' | ');

function allOf(terms: Term[], weight: string): string {
  const parts = terms.map((term) => {
    // What must not be there must be nowhere.
    const one = termQuery(term, term.isExcluded ? '' : weight);
    return term.isExcluded ? `!(${one})` : `(${one})`;
  });
  const number = weight === '' ? numberQuery(terms) : null;
  return number === null ? `(${parts.join(' & ')})` : `((${parts.join(' & ')}) | ${number})`;
}

function termQuery(term: Term, weight: string): string {
  const words = wordsOf(term.text);
  // The last character of a piece without spaces is the beginning of a pair.
  const looked = words.length > 1 && isPair(words.at(-1)!.word) ? words.slice(0, -1) : words;
  const lexemes = looked.map(({ word }, index) => {
    const isLast = index === looked.length - 1;
    const begins = isLast && (term.isPrefix || (isPair(word) && [...word].length === 1));
    return `${quoted(word)}${begins || weight ? ':' : ''}${begins ? '*' : ''}${weight}`;
  });
  const asWords = `(${lexemes.join(' <-> ')})`;
  if (weight !== '') return asWords;
  return [asWords, addressQuery(term.text), digitsQuery(term.text)].filter(Boolean).join(' | ');
}

/** A part of an address: its pieces, one after the other. */
function addressQuery(text: string): string | null {
  return pieceQuery(piecesOf(addressPart(text)), MARK.address);
}

/** A part of a number, if the text is one. */
function digitsQuery(text: string): string | null {
  return isNumber(text) ? pieceQuery(piecesOf(digitsOf(text)), MARK.number) : null;
}

const pieceQuery = (pieces: string[], mark: (piece: string) => string): string | null =>
  pieces.length === 0
    ? null
    : `(${pieces
        .slice(0, MOST_PIECES)
        .map((piece) => quoted(mark(piece)))
        .join(' <-> ')})`;

/** Terms that are a number together, as in `+1 (212) 555-0101`. */
function numberQuery(terms: Term[]): string | null {
  const together = numberOf(terms);
  return together === null ? null : digitsQuery(together);
}

/** The number that the terms are together, if they are one. */
export function numberOf(terms: Term[]): string | null {
  const isPart = ({ text, isExcluded, isPrefix, isPhrase }: Term): boolean =>
    !isExcluded && !isPrefix && !isPhrase && isNumber(text);
  if (terms.length < 2 || !terms.every(isPart)) return null;
  const text = terms.map((term) => term.text).join(' ');
  return digitsOf(text).length > PIECE ? text : null;
}
