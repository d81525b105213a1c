/** Lines with which mail programs introduce quoted mails; none has more than 200 characters. */
const INTRODUCTIONS = [
  /^\s*-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original)\s*-{2,}\s*$/i,
  /^\s*_{10,}\s*$/,
  /^\s*on\b.{5,180}\bwrote:\s*$/i,
  /^\s*am\b.{5,180}\bschrieb\b.{0,100}:\s*$/i,
  /^\s*le\b.{5,180}\ba écrit\s*:\s*$/i,
  /^\s*el\b.{5,180}\bescribió:\s*$/i,
];
const LONGEST_INTRODUCTION = 200;
const HEADER = /^[\s*]*(?:from|von|de|sent|gesendet|date|datum|to|an|subject|betreff)\s*:\*?\s/i;

/**
 * What the writer put above the history that their mail program quoted; null without history, or with nothing above it.
 * Answers between quoted lines cannot be told apart, so such a mail gives null, too.
 */
export function newContent(text: string): string | null {
  const lines = text.split('\n');
  const start = lines.findIndex((line, index) => beginsHistory(lines, line, index));
  if (start < 0 || !isHistory(lines.slice(start))) return null;
  const own = lines.slice(0, start).join('\n').trimEnd();
  return own.trim() === '' ? null : own;
}

function beginsHistory(lines: string[], line: string, index: number): boolean {
  if (isQuoted(line)) return true;
  if (line.length > LONGEST_INTRODUCTION) return false;
  // Programs break a long introduction in two.
  const next = lines[index + 1] ?? '';
  const joined = next.length <= LONGEST_INTRODUCTION ? `${line} ${next}` : line;
  return (
    INTRODUCTIONS.some((introduction) => introduction.test(line)) ||
    (/^\s*(?:on|am|le|el)\b/i.test(line) &&
      INTRODUCTIONS.some((introduction) => introduction.test(joined))) ||
    (HEADER.test(line) &&
      lines.slice(index + 1, index + 4).filter((one) => HEADER.test(one.slice(0, 200))).length >= 2)
  );
}

/** Whether all lines to the end are history: all quoted, or appended by a program that uses no quote marks. */
function isHistory([introduction = '', ...rest]: string[]): boolean {
  const quotes = [introduction, ...rest].filter(isQuoted).length;
  if (quotes === 0) return true;
  const lastQuoted = rest.findLastIndex(isQuoted);
  // A signature or a list's footer may follow the quoted lines, but not an answer.
  return (
    rest.slice(lastQuoted + 1).every((line) => line.trim() === '') ||
    /^-- ?$/.test(rest.slice(lastQuoted + 1).find((line) => line.trim() !== '') ?? '')
  );
}

const isQuoted = (line: string): boolean => line.startsWith('>');
