import { HEADER_LABELS, type HeaderLabels } from './quote-words.js';

const LONGEST = 1_000;
/** The most lines of one block: To and Cc may take several. */
const MOST_LINES = 20;
const LABELLED = /^[\s*]*([\p{L}\p{M}][\p{L}\p{M}. ()/-]{0,24}?)[\s*]*[:：]/u;
const ADDRESS = /[^\s@<>]@[^\s@<>]/;
const CLOCK = /\d{1,2}[:.h時时点시] ?\d{2}/;

type Role = keyof HeaderLabels;
type Header = { role: Role; line: string };

const ROLES = ['from', 'sent', 'date', 'to', 'subject', 'other'] as const;

/**
 * Whether a mail program put the headers of a quoted mail here. `isRuled`: it drew a line above. All labels are of one
 * language and in Outlook's order; itineraries, forms and memos use the same words.
 */
export function areQuotedHeaders(lines: string[], start: number, isRuled: boolean): boolean {
  const label = labelOf(lines[start]);
  return (
    label !== null &&
    HEADER_LABELS.some(
      (labels) => labels.from.includes(label) && isBlock(headersOf(lines, start, labels, isRuled), isRuled),
    )
  );
}

/** The headers that follow on each other from here; none when what follows the subject looks like another field of a form. */
function headersOf(lines: string[], start: number, labels: HeaderLabels, isRuled: boolean): Header[] {
  const headers: Header[] = [];
  for (const line of lines.slice(start, start + MOST_LINES)) {
    const label = labelOf(line);
    const role = ROLES.find((one) => label !== null && labels[one].includes(label));
    const previous = headers.at(-1);
    if (role) headers.push({ role, line });
    else if (previous && isContinued(previous) && label === null && ADDRESS.test(line)) previous.line += line;
    else return label === null || isRuled ? headers : [];
  }
  return headers;
}

const isContinued = ({ role }: Header): boolean => role === 'to' || role === 'other';

function isBlock(headers: Header[], isRuled: boolean): boolean {
  const main = headers.filter(({ role }) => role !== 'other');
  const order = main.map(({ role }) => role).join(' ');
  const [from, date] = main;
  if (isRuled) return /^from sent (?:to|subject)\b/.test(order) || isDated(order, from, date);
  const isSent = order === 'from sent to subject' || order === 'from sent subject';
  const isMail = headers.some(({ line }) => ADDRESS.test(line)) || CLOCK.test(date?.line ?? '');
  return isSent ? isMail : isDated(order, from, date);
}

/** "Date" instead of "Sent" is a word that people use, too. */
const isDated = (order: string, from: Header | undefined, date: Header | undefined): boolean =>
  order === 'from date to subject' && ADDRESS.test(from!.line) && CLOCK.test(date!.line);

function labelOf(line = ''): string | null {
  if (line.length > LONGEST) return null;
  return LABELLED.exec(line)?.[1]!.trimEnd().toLowerCase() ?? null;
}
