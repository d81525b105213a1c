import { TOKEN } from './search-document.js';
import { addressPart, digitsOf, isNumber, isPair, PIECE, piecesOf, type Word, wordsOf } from './words.js';

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

/** A condition on the tokens of a document: all of one of these sets, and none of those that are excluded. */
export interface Wanted {
  anyOf: number[][];
  noneOf: number[];
}

/**
 * What the documents of an alternative must have. More may have it than hold the query: the order of words in a phrase, and
 * longer beginnings than of three characters, are looked at when they are shown.
 */
export function wantedOf(terms: Term[]): Wanted[] {
  const together = numberOf(terms);
  const looked = terms.filter(({ isExcluded }) => !isExcluded).map(termTokens);
  const noneOf = terms.filter(({ isExcluded }) => isExcluded).flatMap(excludedToken);
  if (together === null) return looked.map((anyOf) => ({ anyOf, noneOf }));
  const all = looked.map(([asWords]) => asWords!).flat();
  return [{ anyOf: [all, ...digitTokens(together)], noneOf }];
}

/** The tokens of all words of the query, if they are in titles. */
export const titleTokens = (terms: Term[]): number[] =>
  terms
    .filter(({ isExcluded, isPrefix }) => !isExcluded && !isPrefix)
    .flatMap(({ text }) => askedWords(text).map(({ word }) => TOKEN.titleWord(word)));

function termTokens({ text, isPrefix }: Term): number[][] {
  const words = askedWords(text);
  const asWords = words.flatMap(({ word, isHalfPair }, index) => {
    const begins = index === words.length - 1 && (isPrefix || isHalfPair);
    if (!begins) return [TOKEN.word(word)];
    return isPair(word) || [...word].length >= PIECE ? [TOKEN.beginning(word)] : [];
  });
  return [asWords, ...addressTokens(text), ...digitTokens(text)];
}

/** A single word that must not be there; whatever else must not is looked at later. */
function excludedToken({ text, isPrefix }: Term): number[] {
  const [first, ...others] = askedWords(text);
  return first && others.length === 0 && !isPrefix && !first.isHalfPair ? [TOKEN.word(first.word)] : [];
}

/** The words of a term, without the last character of a piece without spaces: it is the end of the pair before it. */
export function askedWords(text: string): Word[] {
  const words = wordsOf(text);
  return words.length > 1 && words.at(-1)!.isHalfPair ? words.slice(0, -1) : words;
}

const addressTokens = (text: string): number[][] => tokensOfPieces(addressPart(text), TOKEN.address);

const digitTokens = (text: string): number[][] =>
  isNumber(text) ? tokensOfPieces(digitsOf(text), TOKEN.number) : [];

function tokensOfPieces(text: string, token: (piece: string) => number): number[][] {
  const pieces = piecesOf(text).slice(0, MOST_PIECES);
  return pieces.length === 0 ? [] : [pieces.map(token)];
}

/** The number that the terms are together, if they are one. */
export function numberOf(terms: Term[]): string | null {
  const isPart = ({ text, isExcluded, isPrefix, isPhrase }: Term): boolean =>
    !isExcluded && !isPrefix && !isPhrase && isNumber(text);
  if (terms.length < 2 || !terms.every(isPart)) return null;
  const text = terms.map((term) => term.text).join(' ');
  return digitsOf(text).length > PIECE ? text : null;
}
