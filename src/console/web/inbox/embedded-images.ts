import { decoded } from './reply-text.js';

/** The address of a part in an attribute or a `url()`, up to where that ends. */
const REFERENCE =
  /(?<="\s?)cid:[^"]+|(?<='\s?)cid:[^']+|(?<=&quot;\s?)cid:(?:(?!&quot;)[^"])+|(?<=\(\s?)cid:[^)]+|(?<==)cid:[^\s>]+/gi;

/** What its id may be: addresses are written as URLs (RFC 2392), and by some as the id is. */
function idsIn(address: string): string[] {
  const id = decoded(address.slice('cid:'.length)).trim();
  try {
    return [...new Set([id, decodeURIComponent(id)])];
  } catch {
    return [id];
  }
}

/** The parts that the HTML may show, by their ids. */
export const embeddedIn = (html: string): Set<string> =>
  new Set([...html.matchAll(REFERENCE)].flatMap(([address]) => idsIn(address)));

/** The HTML with the addresses of the parts that are there in place of theirs. */
export const withEmbedded = (html: string, urls: Map<string, string>): string =>
  html.replaceAll(REFERENCE, (address) => {
    const id = idsIn(address).find((one) => urls.has(one));
    return id === undefined ? address : urls.get(id)!;
  });
