import { isUtf8 } from 'node:buffer';
import { getBOMEncoding, normalizeEncoding, TextDecoder } from '@exodus/bytes/encoding.js';
import iconv from 'iconv-lite';
import { canonical } from './mail-labels.js';

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
  'utf32',
  'utf32be',
  'utf32le',
  'utf7',
]);

/**
 * Turns the bytes of a text part into text. A multi-byte charset is believed when the bytes are valid in it;
 * otherwise valid UTF-8 is UTF-8, whatever the mail declares; the rest is as declared, or windows-1252.
 */
export function decodeText(bytes: Uint8Array, declared: string | null): string {
  const named = canonical(declared) ?? declaredInHtml(bytes);
  const charset = marked(bytes, named) ?? named;
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
  const named = canonical(bodyCharset);
  // Nobody writes a header in an encoding that ASCII is no part of.
  const charset = named !== null && /^utf-?(?:16|32|7)/.test(named) ? null : named;
  if (charset === 'iso-2022-jp' && bytes.includes(ESCAPE)) return loose(withoutIdleEscapes(bytes), charset);
  const utf8 = strict(bytes, 'utf-8');
  if (utf8 !== null) return untranscoded(utf8, charset) ?? utf8;
  return (charset === null ? null : strict(bytes, charset)) ?? loose(bytes, 'windows-1252');
}

/** Whether these bytes are text in a charset, or in UTF-8. */
export const isValidIn = (bytes: Uint8Array, declared: string | null): boolean =>
  isUtf8(bytes) || strict(bytes, canonical(declared) ?? 'utf-8') !== null;

const ESCAPE = 0x1b;

/** ISO-2022-JP without escapes that another escape follows at once: encoded words have them, and decoders refuse them. */
function withoutIdleEscapes(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  // eslint-disable-next-line no-control-regex -- U+001B starts an escape
  return Buffer.from(text.replace(/\x1b[($][@BIJ](?=\x1b)/g, ''), 'latin1');
}

/** UTF-16 by its byte order mark, where no charset contradicts, or where a zero byte shows that no other is meant. */
function marked(bytes: Uint8Array, charset: string | null): string | null {
  const mark = getBOMEncoding(bytes);
  if (mark === null || mark === 'utf-8' || charset?.startsWith('utf32')) return null;
  return charset === null || charset.startsWith('utf-') || bytes.includes(0) ? mark : null;
}

/** As the HTML standard reads it: what can be read as ASCII up to there is not in UTF-16. */
function declaredInHtml(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const charset = canonical(/<meta[^>]+charset=["']?([\w:.-]+)/i.exec(head)?.[1] ?? null);
  return charset?.startsWith('utf-16') ? 'utf-8' : charset;
}

function strict(bytes: Uint8Array, charset: string): string | null {
  if (charset === 'utf-8') return isUtf8(bytes) ? fromUtf8(bytes) : null;
  if (!isStandard(charset)) {
    const text = loose(bytes, charset);
    return text.includes('\ufffd') ? null : text;
  }
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * The decoders are those of @exodus/bytes, since the ones of Node 20 are wrong in euc-kr, big5, gbk, koi8-u and others; what
 * the Encoding Standard leaves out comes from iconv-lite.
 */
function loose(bytes: Uint8Array, charset: string): string {
  return isStandard(charset) ? new TextDecoder(charset).decode(bytes) : iconv.decode(bytes, charset);
}

/** Names of iconv-lite come without punctuation, and none of them is a name in the standard. */
const isStandard = (charset: string): boolean => normalizeEncoding(charset) === charset;

/** The same as a decoder gives, without byte order mark, in a tenth of the time. */
function fromUtf8(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
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
