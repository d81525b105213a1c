import { compile, type FormatCallback } from 'html-to-text';
import type { Part } from './mail-tree.js';

interface Passage {
  kind: 'plain' | 'html' | 'other';
  text: string;
}

/**
 * The text of a mail: all its text parts in order, HTML turned into text, of alternatives the plain ones.
 * Other kinds of text, such as text/enriched, stand in only when there is none of these.
 */
export function textOf(root: Part): string {
  const all = passages(root).map(({ kind, text }) => ({
    kind,
    text: trimmed(kind === 'html' ? htmlToText(text) : text),
  }));
  const found = all.filter(({ text }) => text !== '');
  const readable = found.filter(({ kind }) => kind !== 'other');
  return (readable.length > 0 ? readable : found).map(({ text }) => text).join('\n\n');
}

function passages(part: Part): Passage[] {
  const stray: Passage = { kind: 'plain', text: part.strayText };
  if (part.textContent !== undefined)
    return [stray, { kind: KINDS[part.contentType] ?? 'other', text: part.textContent }];
  const children = part.children.map(passages);
  const plain = part.contentType === 'multipart/alternative' ? children.filter(isPlain) : [];
  return [stray, ...(plain.length > 0 ? plain : children).flat()];
}

const KINDS: Record<string, Passage['kind']> = { 'text/plain': 'plain', 'text/html': 'html' };

function isPlain(passages: Passage[]): boolean {
  return passages.every(({ kind }) => kind === 'plain') && passages.some(({ text }) => text.trim() !== '');
}

/** Without empty lines around, and with \n at the end of lines. */
function trimmed(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();
}

const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(' ');
};

/** An image is its alternative text; its address is mostly that of a tracking pixel. */
const alternative: FormatCallback = (image, _walk, builder) => {
  const { alt } = (image.attribs ?? {}) as { alt?: string };
  builder.addInline(alt ?? '');
};

/** Elements that begin a line, but that html-to-text would run into the words around them. */
const BLOCKS = ['address', 'body', 'caption', 'center', 'dd', 'dt', 'figcaption', 'li', 'option', 'tr'];

const convert = compile({
  // The whole document, not its body: mail lists and gateways append their text after it.
  baseElements: { selectors: [], returnDomByDefault: true },
  limits: { maxInputLength: undefined },
  wordwrap: false,
  formatters: { cell, alternative },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'alternative' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ...['script', 'style', 'template', 'title'].map((selector) => ({ selector, format: 'skip' })),
    ...BLOCKS.map((selector) => ({
      selector,
      format: 'block',
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    })),
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
  ],
});

function htmlToText(html: string): string {
  try {
    return convert(html);
  } catch {
    // Elements nested thousands deep exhaust the stack; without tags there is no nesting.
    return convert(html.replace(/<\/?[a-z][^<>]*>/gi, ' '));
  }
}
