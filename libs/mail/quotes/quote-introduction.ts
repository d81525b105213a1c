import { ON, WROTE } from './quote-words.js';

const LONGEST_LINE = 200;
/** Programs break a long introduction in two or three. */
const MOST_LINES = 3;

const ENDS = /[:：]\s*$/;
const SENTENCE_ENDS = /[.!?]\s*$/;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2} ?[./-] ?\d{1,2} ?[./-] ?\d{2,4}(?!\d)/;
const CLOCK = /(?<!\d)\d{1,2}[:時时点시] ?\d{2}(?!\d)|(?<![\d.])\d{1,2}[.h]\d{2}(?![\d.])/;
const ADDRESS = /[<([]\s*(?:mailto:)?[^\s<>()[\]@]+@[^\s<>()[\]@]+\s*[>)\]]/;

const BEGINS_WITH_DATE = new RegExp(
  `^(?:${ON}\\s+(?:[^\\s\\d]+\\s+){0,3}\\d|在\\s*\\d|\\p{L}{2,12}[.,]{0,2}\\s(?:den )?\\d|\\d)`,
  'iu',
);
/** `Ann Low <ann@buyer.example>`: names do not begin with small letters. */
const BEGINS_WITH_SENDER = /^(?:["'“„«]?[\p{Lu}\p{Lo}][^\s<]* ){0,5}[("]?<[^\s<>@]+@[^\s<>@]+>/u;

const SAYS_WROTE = new RegExp(WROTE, 'iu');
const NAME = '(?:["“„«\'<(]?[\\p{Lu}\\p{Lo}][\\p{L}\\p{N}]|\\S+@\\S)';
const ENDS_WITH_NAME_AND_WROTE = [
  new RegExp(`(?:^|\\s)${NAME}[^\\s]*[\\s,]+${WROTE}\\s?[:：]$`, 'u'),
  new RegExp(`${WROTE}\\s${NAME}[^:]*[:：]$`, 'u'),
];
/** The verb or the address stands at the end; some languages put the date between. */
const ENDS_AS_PROGRAMS_DO = [
  new RegExp(`${WROTE}(?: ?\\([^()]*\\))?\\s?[:：]$`, 'iu'),
  new RegExp(`${WROTE} [^:]*<[^\\s<>@]+@[^\\s<>@]+>\\)?\\s?[:：]$`, 'iu'),
];
/** Russian, Japanese and Hebrew programs use no verb. */
const ENDS_WITH_ADDRESS = /<[^\s<>@]+@[^\s<>@]+>\)?\s?[:：]$/;

/** How many lines from here introduce a quoted mail: "On … wrote:"; 0 when they are none, or might be a sentence. */
export function introductionAt(lines: string[], start: number): number {
  let text = '';
  for (let count = 1; count <= MOST_LINES; count++) {
    const line = lines[start + count - 1]?.trim() ?? '';
    if (line === '' || line.length > LONGEST_LINE || line.startsWith('>')) return 0;
    text = text === '' ? line : `${text} ${line}`;
    if (ENDS.test(line)) return introduces(text, isQuotedBelow(lines, start + count)) ? count : 0;
    if (SENTENCE_ENDS.test(line)) return 0;
  }
  return 0;
}

function isQuotedBelow(lines: string[], start: number): boolean {
  const next = lines.slice(start, start + 3).find((line) => line.trim() !== '');
  return next?.startsWith('>') ?? false;
}

/** What is not marked as quoted must be introduced as only programs do it: by date, time, address and verb. */
function introduces(text: string, isQuoted: boolean): boolean {
  const beginsWithDate = BEGINS_WITH_DATE.test(text);
  if (!beginsWithDate && !BEGINS_WITH_SENDER.test(text)) return false;
  const [hasYear, hasClock] = [YEAR.test(text), CLOCK.test(text)];
  if (!isQuoted)
    return hasYear && hasClock && ADDRESS.test(text) && ENDS_AS_PROGRAMS_DO.some((end) => end.test(text));
  if (!hasYear && !hasClock) return false;
  if (ADDRESS.test(text)) return SAYS_WROTE.test(text) || ENDS_WITH_ADDRESS.test(text);
  return beginsWithDate && ENDS_WITH_NAME_AND_WROTE.some((end) => end.test(text));
}
