import { folded, isAscii } from '#kernel/folded.js';

/** A word of a text, folded, with its place in the text: from `start` up to `end`. */
export interface Word {
  word: string;
  start: number;
  end: number;
  /** Whether it is the last character of a piece without spaces, with which pairs begin. Folded, it may be two. */
  isHalfPair: boolean;
}

const RUNS = /[\p{L}\p{N}\p{M}]+/gu;
const SPACELESS =
  /[\u3099\u309a\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー\uff70\uff9e\uff9f]+/gu;
/** A character; a kana with its mark, which may stand apart, is one. */
const CHARACTER = /.[\u3099\u309a\uff9e\uff9f]?/gsu;

/** A longer word is known by its beginning. */
const LONGEST_WORD = 100;

/** Words of a text that are known: those of 200,000 characters of prose. To cut more would hold up whoever waits for the process. */
export const MOST_WORDS = 40_000;

/**
 * The words of a text, the first 40,000 or some more. Scripts that put no space between words give a word for each two characters that
 * follow one another, and one for the last character, so that any two are found, and with `phrase` any longer piece.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  if (isAscii(text)) {
    // A third of the time of what follows.
    for (const { 0: run, index } of text.matchAll(/[A-Za-z0-9]+/g)) {
      if (words.length >= MOST_WORDS) break;
      addWord(words, run, index);
    }
    return words;
  }
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    if (words.length >= MOST_WORDS) break;
    let end = 0;
    for (const { 0: piece, index: start } of run.matchAll(SPACELESS)) {
      addWord(words, run.slice(end, start), index + end);
      addPairs(words, piece, index + start);
      end = start + piece.length;
    }
    addWord(words, run.slice(end), index + end);
  }
  return words;
}

/** Characters that are cut in a few milliseconds. */
const PART = 20_000;
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]/gu;

/** The text in parts of some 20,000 characters, without a word that is in two of them, so that others may have their turn in between. */
export function* partsOf(text: string, length = PART): Generator<string> {
  let start = 0;
  while (text.length - start > length) {
    BETWEEN_WORDS.lastIndex = start + length + (isLowSurrogate(text, start + length) ? 1 : 0);
    const end = BETWEEN_WORDS.exec(text)?.index ?? text.length;
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** Whether the character that is there began with the unit before: to look from there on would be to look from its beginning. */
const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

function addWord(words: Word[], text: string, start: number): void {
  if (text === '') return;
  const word = folded(text).slice(0, LONGEST_WORD);
  if (word !== '') words.push({ word, start, end: start + text.length, isHalfPair: false });
}

function addPairs(words: Word[], text: string, start: number): void {
  const characters = text.match(CHARACTER)!.slice(0, MOST_WORDS);
  let at = start;
  characters.forEach((one, index) => {
    const next = characters[index + 1];
    const pair = one + (next ?? '');
    words.push({ word: folded(pair), start: at, end: at + pair.length, isHalfPair: next === undefined });
    at += one.length;
  });
}

/** Whether the word is of a script without spaces, and so a pair of characters or the last one. */
export const isPair = (word: string): boolean => /^\P{ASCII}/u.test(word) && word.search(SPACELESS) === 0;

/** How long the pieces are by which a part of an address or number is found. */
export const PIECE = 3;

/** The pieces of three characters of an address, by which any longer part of it is found. */
export const piecesOf = (text: string): string[] => {
  const characters = [...text];
  return characters.slice(PIECE - 1).map((_, index) => characters.slice(index, index + PIECE).join(''));
};

/** An address as its parts are compared. */
export const addressText = (address: string): string => folded(address).replace(/\s+/g, '');

/** What people write before and after an address that is no part of it. */
const AROUND = new Set('<>(),;:.!?');

/** A part of an address, without what stands around it. */
export function addressPart(text: string): string {
  const part = addressText(text);
  let [start, end] = [0, part.length];
  while (start < end && AROUND.has(part[start]!)) start++;
  while (end > start && AROUND.has(part[end - 1]!)) end--;
  return part.slice(start, end);
}

/** Whether a text is a number, however it is written, or a part of one. */
export const isNumber = (text: string): boolean => /^[\d\s+()./-]+$/.test(text) && /\d/.test(text);

/** The digits of a number, however it is written, without the zeros that only some write before it. */
export const digitsOf = (number: string): string => folded(number).replace(/\D/g, '').replace(/^0+/, '');
