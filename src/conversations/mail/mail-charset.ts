import { isUtf8 } from 'node:buffer';

/** Charsets whose bytes follow rules that text in another charset seldom meets, so validity is evidence. */
const MULTI_BYTE = new Set([
  'big5',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'gbk',
  'iso-2022-jp',
  'shift_jis',
  'utf-16be',
  'utf-16le',
]);

/**
 * Turns the bytes of a text part into text. A multi-byte charset is believed when the bytes are valid in it;
 * otherwise valid UTF-8 is UTF-8, whatever the mail declares; the rest is as declared, or windows-1252.
 */
export function decodeText(bytes: Uint8Array, declared: string | null): string {
  const charset = canonical(declared) ?? canonical(declaredInHtml(bytes));
  if (charset === 'iso-2022-jp' && bytes.every((byte) => byte < 0x80))
    return loose(withoutIdleEscapes(bytes), charset);
  if (charset !== null && MULTI_BYTE.has(charset)) {
    const text = strict(bytes, charset);
    if (text !== null) return text;
  }
  const utf8 = strict(bytes, 'utf-8');
  if (utf8 !== null) return untranscoded(utf8, charset) ?? utf8;
  if (charset === 'utf-8') return mostlyUtf8(bytes) ?? loose(bytes, 'windows-1252');
  return loose(bytes, charset ?? 'windows-1252');
}

/**
 * Turns raw header bytes into text: UTF-8 (RFC 6532) when valid, else the charset of the body, else
 * windows-1252.
 */
export function decodeHeader(bytes: Uint8Array, bodyCharset: string | null): string {
  const charset = canonical(bodyCharset);
  const utf8 = strict(bytes, 'utf-8');
  if (utf8 !== null) return untranscoded(utf8, charset) ?? utf8;
  return (charset === null ? null : strict(bytes, charset)) ?? loose(bytes, 'windows-1252');
}

/** The WHATWG name of a charset label; null for none and for one that has no decoder. */
export function canonical(label: string | null): string | null {
  if (label === null) return null;
  let name = names.get(label);
  if (name === undefined) {
    name = nameOf(label);
    if (names.size < MOST_NAMES && label.length <= LONGEST_NAME) names.set(label, name);
  }
  return name;
}

/** Labels seen so far: making a decoder takes longer than reading a header. */
const names = new Map<string, string | null>();
/** Bounds the map: strangers can invent labels, each a megabyte long. */
const MOST_NAMES = 1_000;
const LONGEST_NAME = 40;

function nameOf(label: string): string | null {
  try {
    return new TextDecoder(label.replace(/['"]/g, '')).encoding;
  } catch {
    return null;
  }
}

/** ISO-2022-JP without escapes that another escape follows at once: encoded words have them, and decoders refuse them. */
function withoutIdleEscapes(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  // eslint-disable-next-line no-control-regex -- U+001B starts an escape
  return Buffer.from(text.replace(/\x1b[($][@BIJ](?=\x1b)/g, ''), 'latin1');
}

function declaredInHtml(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  return /<meta[^>]+charset=["']?([\w-]+)/i.exec(head)?.[1] ?? null;
}

function strict(bytes: Uint8Array, charset: string): string | null {
  if (charset === 'utf-8') return isUtf8(bytes) ? fromUtf8(bytes) : null;
  try {
    return decoded(new TextDecoder(charset, { fatal: true }), bytes);
  } catch {
    return null;
  }
}

function loose(bytes: Uint8Array, charset: string): string {
  return decoded(new TextDecoder(charset), bytes);
}

/** The same as a decoder gives, without byte order mark, in a tenth of the time. */
function fromUtf8(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/**
 * In two steps: in one, several Node releases read windows-1252 as ISO-8859-1 and lose quotes and the euro
 * sign.
 */
function decoded(decoder: TextDecoder, bytes: Uint8Array): string {
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** Undoes a gateway that took multi-byte text for Latin-1 and wrote it as UTF-8; null when none did. */
function untranscoded(utf8: string, charset: string | null): string | null {
  if (charset === null || !MULTI_BYTE.has(charset)) return null;
  const isLatin1 = /^[\0-\xff]*$/.test(utf8) && /[\x80-\xff]/.test(utf8);
  return isLatin1 ? strict(Buffer.from(utf8, 'latin1'), charset) : null;
}

/** UTF-8 with a few bad bytes, as when a mail was cut short; null when bad characters outnumber good ones. */
function mostlyUtf8(bytes: Uint8Array): string | null {
  const text = loose(bytes, 'utf-8');
  const bad = text.match(/\ufffd/g)?.length ?? 0;
  const good = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  return good > bad ? text : null;
}
