import { cut } from '#kernel/text.js';
import { contentOf, isInvisible, kindOf } from './mail-text.js';
import type { Part } from './mail-tree.js';
import { safeMailHtml } from './safe-html.js';

/** Characters of a mail's HTML at most; what is longer is cut, and its last element closed. */
const LONGEST = 1_000_000;

interface Shown {
  isHtml: boolean;
  text: string;
}

/**
 * What a mail looked like, without whatever could run: its HTML parts in order, the last one of alternatives, with plain text
 * between them as it is. Null where no part is HTML, or what is left is longer than a million characters. `contentIds` are those
 * of its files: a picture names one exactly as they do.
 */
export function htmlOf(root: Part, contentIds: string[]): string | null {
  const parts = shown(root).filter(({ text }) => !isInvisible(text));
  if (!parts.some(({ isHtml }) => isHtml)) return null;
  const html = parts.map(({ isHtml, text }) => (isHtml ? text : asHtml(text))).join('\n');
  const safe = safeMailHtml(cut(html, LONGEST));
  return safe === null || safe.length > LONGEST ? null : withContentIds(safe, new Set(contentIds));
}

function shown(part: Part): Shown[] {
  const stray = { isHtml: false, text: part.strayText };
  if (part.textContent !== undefined) {
    const kind = kindOf(part);
    if (kind === 'other') return [stray];
    return [stray, { isHtml: kind === 'html', text: contentOf(part, part.textContent) }];
  }
  const children = part.children.map(shown);
  if (part.contentType !== 'multipart/alternative') return [stray, ...children.flat()];
  const richest = children.findLast((child) => child.some(({ isHtml }) => isHtml));
  return [stray, ...(richest ?? children[0] ?? [])];
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => ESCAPES[one]!);

const asHtml = (text: string): string => `<div style="white-space:pre-wrap">${escaped(text)}</div>`;

/**
 * Mailers escape a Content-ID as in any other URL (RFC 2392). An id may hold anything, and this finds its URL in text and style
 * sheets, too: so it is written as HTML.
 */
const withContentIds = (html: string, known: ReadonlySet<string>): string =>
  html.replace(/(\bcid:)((?:[^\s"'()<>&]|&amp;)+)/gi, (whole, scheme: string, written: string) => {
    const id = decoded(written.replaceAll('&amp;', '&'));
    return known.has(id) ? scheme + escaped(id) : whole;
  });

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
