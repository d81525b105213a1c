import type { Spooled } from '#http/input/spool.js';

/** Any bytes may be of this type. */
const ANY = 'application/octet-stream';
const TYPE = /^[\w.+-]{1,63}\/[\w.+-]{1,63}$/;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:+-]{1,63})"?\s*(?:;|$)/i;

/** The type without its parameters. */
export const typeAlone = (type: string): string => type.split(';', 1)[0]!.trim().toLowerCase();

/** The declared type in lower case, without parameters but `charset`; that of any bytes where none, or nothing like one, was declared. */
export function typeDeclared(header: string | undefined): string {
  const type = typeAlone(header ?? '');
  if (!TYPE.test(type)) return ANY;
  const [, charset] = CHARSET.exec(header!) ?? [];
  return charset === undefined ? type : `${type}; charset=${charset}`;
}

/** Types that pages show as they are, and that no page is of. */
const SHOWN = /^(?:image\/(?!svg\+xml$)|audio\/|video\/|application\/(?:pdf|ogg|mp4)$)/;

/** What a browser takes for the beginning of a page (MIME Sniffing, 7.1), behind blanks; also behind what XML may have before it. */
const PAGE =
  /^\s*(?:<\?[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*(?:<!--|<!doctype\s+(?:[\w-]+:)?(?:html|svg)\b|<(?:[\w-]+:)?(?:html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|svg)(?:[\s/>]|$))/i;
/** Bytes in which a page begins, if it does. */
const BEGINNING = 4 * 1024;

/** Whether the file begins as an HTML, XHTML or SVG document and is declared as pictures, sound, film or PDF. */
export async function isHiddenPage(bytes: Spooled, declared: string): Promise<boolean> {
  if (!SHOWN.test(typeAlone(declared))) return false;
  return PAGE.test(textOf(await bytes.beginning(BEGINNING)));
}

/** By its byte order mark, else byte by byte. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
}
