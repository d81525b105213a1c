import { introductionAt } from './quote-introduction.js';
import { BEGINNINGS, TITLES } from './quote-words.js';
import { areQuotedHeaders } from './quoted-headers.js';

/** No line that a mail program puts above a quoted mail is longer, but for its recipients. */
const LONGEST_RULE = 200;
const DRAWN = /^\s*[_*=-]{5,}\s*$/;
const TITLED = /^\s*-{2,}\s*([^-\s](?:[^\n]*[^-\s])?)\s*-{2,}\s*$/u;
/** History that begins after so many characters is not looked for: what people write above it is shorter. */
const MOST_LOOKED_AT = 100_000;
/** Characters of a text that are read; what follows is as what has been read. */
const MOST_READ = 2 * MOST_LOOKED_AT;

/** Marks of direction, which show nowhere. */
const UNSEEN = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * What the writer put above the history that their mail program quoted; null without history in the first 100,000 characters, or with nothing above
 * it. Reads the first 200,000.
 * Answers between quoted lines cannot be told apart, so such a mail gives null, too. So does one where a person may have
 * written what looks like history.
 */
export function newContent(text: string): string | null {
  const read = text.slice(0, MOST_READ);
  const lines = read.split('\n');
  const seen = read.replace(UNSEEN, '').split('\n');
  let before = 0;
  const start = seen.findIndex((line, index) => {
    before += line.length + 1;
    return before <= MOST_LOOKED_AT && line.trim() !== '' && beginsHistory(seen, index);
  });
  if (start < 0 || !isHistory(seen.slice(start))) return null;
  const own = lines.slice(0, start).join('\n').trimEnd();
  return own.trim() === '' ? null : own;
}

function beginsHistory(lines: string[], index: number): boolean {
  const line = lines[index]!;
  if (isQuoted(line)) return true;
  if (areQuotedHeaders(lines, index, false) || introductionAt(lines, index) > 0) return true;
  return line.length <= LONGEST_RULE && isRule(lines, index);
}

/** A line that a program drew above the headers of a quoted mail, with or without a title in it. */
function isRule(lines: string[], index: number): boolean {
  const line = lines[index]!;
  const title = TITLED.exec(line)?.[1]!.toLowerCase().replaceAll('’', "'");
  if (title !== undefined && TITLES.includes(title)) return true;
  const words = line.trim().toLowerCase();
  if (/[:：]$/.test(words) && BEGINNINGS.includes(words.slice(0, -1).trimEnd())) return true;
  if (title === undefined && !DRAWN.test(line)) return false;
  const next = [1, 2].find((step) => (lines[index + step] ?? '').trim() !== '');
  return next !== undefined && areQuotedHeaders(lines, index + next, true);
}

/** Whether all lines to the end are history: all quoted, or appended by a program that uses no quote marks. */
function isHistory([first = '', ...rest]: string[]): boolean {
  const quotes = [first, ...rest].filter(isQuoted);
  if (quotes.length === 0) return true;
  if (isQuoted(first) && quotes.every(isAmount)) return false;
  const lastQuoted = rest.findLastIndex(isQuoted);
  // A signature or a list's footer may follow the quoted lines, but not an answer.
  return (
    rest.slice(lastQuoted + 1).every((line) => line.trim() === '') ||
    /^-- ?$/.test(rest.slice(lastQuoted + 1).find((line) => line.trim() !== '') ?? '')
  );
}

const isQuoted = (line: string): boolean => line.startsWith('>');

/** "> 10 cm": more than. */
const isAmount = (line: string): boolean => /^>=? ?[\d.,]+/.test(line);
