import { compile } from 'html-to-text';
import { BLOCKS, HEADINGS, htmlLayout, withoutDeepIndents } from './mail-layout.js';
import { unflowed } from './mail-flowed.js';
import type { Part } from './mail-tree.js';
import { isSafeLink } from './safe-html.js';

interface Passage {
  kind: 'plain' | 'html' | 'other';
  text: string;
}

/**
 * The text of a mail: all text parts in order, HTML converted to text, the plain one of alternatives. Other kinds of text,
 * such as text/enriched, count only when these are missing.
 */
export function textOf(root: Part): string {
  const found = written(root);
  const readable = found.filter(isReadable);
  return (readable.length > 0 ? readable : found).map(({ text }) => text).join('\n\n');
}

/** Whether other kinds of text stand beside plain text or HTML, and not as alternatives to it: `textOf` leaves them out. */
export const leavesOut = (root: Part): boolean => hasOther(root) && written(root).some(isReadable);

function hasOther({ contentType, children }: Part): boolean {
  const areParts = contentType !== 'multipart/alternative';
  return children.some(
    (child) => hasOther(child) || (areParts && child.textContent !== undefined && kindOf(child) === 'other'),
  );
}

const isReadable = ({ kind }: Passage): boolean => kind !== 'other';

/** What is not empty, HTML as text. */
function written(root: Part): Passage[] {
  return passages(root)
    .map(({ kind, text }) => ({ kind, text: trimmed(kind === 'html' ? htmlToText(text) : text) }))
    .filter(({ text }) => !isInvisible(text));
}

function passages(part: Part): Passage[] {
  const stray: Passage = { kind: 'plain', text: part.strayText };
  if (part.textContent !== undefined)
    return [stray, { kind: kindOf(part), text: contentOf(part, part.textContent) }];
  const children = part.children.map(passages);
  const plain = part.contentType === 'multipart/alternative' ? children.filter(isPlain) : [];
  return [stray, ...(plain.length > 0 ? plain : children).flat()];
}

/** The text of a part, its lines joined where its sender only broke them (RFC 3676). */
export const contentOf = ({ contentType, flow }: Part, text: string): string =>
  flow && contentType === 'text/plain' ? unflowed(text, flow) : text;

const KINDS: Record<string, Passage['kind']> = { 'text/plain': 'plain', 'text/html': 'html' };
export const kindOf = ({ contentType }: Part): Passage['kind'] => KINDS[contentType] ?? 'other';

function isPlain(passages: Passage[]): boolean {
  return passages.every(({ kind }) => kind === 'plain') && passages.some(({ text }) => !isInvisible(text));
}

/** Whether there is nothing to see: blanks, zero-width characters, byte order marks, soft hyphens, an empty Braille cell. */
export const isInvisible = (text: string): boolean =>
  /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);

/** Without empty lines around, and with \n at the end of lines. */
function trimmed(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();
}

/** Elements whose content is no text. */
const SILENT = ['script', 'style', 'template', 'title'];

/** Converts the whole document, not only its body: mailing lists and gateways append text after the body. */
const WHOLE = {
  baseElements: { selectors: [], returnDomByDefault: true },
  limits: { maxInputLength: undefined },
  wordwrap: false as const,
};

/** Only what could be followed is shown beside a link's text. */
const safeTarget = (url: string): string => (isSafeLink(url) ? url : '');

const convert = compile({
  ...WHOLE,
  formatters: htmlLayout.formatters,
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, pathRewrite: safeTarget } },
    ...SILENT.map((selector) => ({ selector, format: 'skip' })),
    ...htmlLayout.selectors,
  ],
});

/** A document with more tags would take seconds and hundreds of megabytes. */
const MOST_TAGS = 50_000;

function htmlToText(html: string): string {
  if (hasOver(MOST_TAGS, html)) return betweenTags(html);
  try {
    return convert(withoutDeepIndents(html));
  } catch {
    // Elements nested thousands deep exhaust the stack; without tags there is no nesting.
    return betweenTags(html);
  }
}

const TAG = /<(\/?)([a-z][a-z0-9]*)(?:[^a-z0-9<>][^<>]*)?>/gi;

function hasOver(most: number, html: string): boolean {
  let count = 0;
  for (const _ of html.matchAll(TAG)) if (++count > most) return true;
  return false;
}

const LINES = new Set([...BLOCKS, ...HEADINGS, 'br', 'div', 'hr', 'ol', 'p', 'pre', 'table', 'ul']);
const SILENTLY = new Set(SILENT);

const convertLines = compile({ ...WHOLE, preserveNewlines: true });

/** Characters of text to look for between that many tags: no message keeps more. */
const MOST_TEXT = 1_500_000;
/** Characters to resolve entities in at a time: a whole document would take hundreds of megabytes. */
const AT_ONCE = 50_000;
/** Characters after which a line is broken. */
const LONGEST_LINE = 200_000;

/** What stands between the tags, blocks on lines of their own. */
function betweenTags(html: string): string {
  const lines: string[] = [];
  let passage = '';
  let length = 0;
  const keep = () => {
    const trimmed = convertLines(passage)
      .split('\n')
      .map((line) => line.trim());
    lines.push(...trimmed.filter((line) => line !== ''));
    length += passage.length;
    passage = '';
  };
  let silent: string | null = null;
  let end = 0;
  for (const match of html.matchAll(TAG)) {
    const [tag, closes, named] = match as unknown as [string, string, string];
    const name = named.toLowerCase();
    if (silent === null) {
      const isLine = LINES.has(name);
      passage += html.slice(end, match.index) + (isLine ? '\n' : ' ');
      if (passage.length > (isLine ? AT_ONCE : LONGEST_LINE)) keep();
    }
    if (length > MOST_TEXT) return lines.join('\n');
    if (silent === null && !closes && SILENTLY.has(name)) silent = name;
    else if (silent === name && closes) silent = null;
    end = match.index + tag.length;
  }
  if (silent === null) passage += html.slice(end);
  keep();
  return lines.join('\n');
}
