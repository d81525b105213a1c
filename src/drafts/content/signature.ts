import { newContent } from '#mail/quotes/new-content.js';
import { textOf } from './html.js';

/** Where HTML can be parted. */
const PLACE = /<(?:blockquote|br|div|hr|p|table|ul|ol)\b/gi;

/**
 * The HTML of a mail and its text alternative, with the sender's signature between what the sender wrote and what is quoted below
 * it; in the text below a line `-- ` (RFC 3676, 4.3).
 */
export function signed(html: string, signature: string | null): { html: string; text: string } {
  const text = textOf(html);
  if (signature === null) return { html, text };
  const own = newContent(text) ?? text;
  const place = own === text ? html.length : placeAfter(html, own);
  const shown = textOf(signature).trim();
  const parts = [own.trimEnd(), shown && `-- \n${shown}`, text.slice(own.length).trim()];
  return {
    html: `${html.slice(0, place)}<div>${signature}</div>${html.slice(place)}`,
    text: parts.filter((part) => part !== '').join('\n\n'),
  };
}

/** The first place of the HTML that has all of this text, its beginning, before it; its end where there is none. */
function placeAfter(html: string, beginning: string): number {
  const places = Array.from(html.matchAll(PLACE), ({ index }) => index);
  const solid = beginning.replace(/\s/g, '');
  const before = (place: number) => textOf(html.slice(0, place)).replace(/\s/g, '');
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(places[middle]!).length < solid.length) low = middle + 1;
    else high = middle;
  }
  const place = places[low];
  return place !== undefined && before(place) === solid ? place : html.length;
}
