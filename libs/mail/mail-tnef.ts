import { decompressRTF } from '@kenjiuno/decompressrtf';
import { deEncapsulateSync } from 'rtf-stream-parser';
import { decodeText } from './mail-charset.js';
import { readTnef, type TnefFile, type TnefMessage, type Value } from './mail-tnef-stream.js';

/** Messages within each other that are opened. */
const DEEPEST = 3;
const MOST_FILES = 1_000;
/** What RTF may become when it is decompressed, in bytes: up to eight times as much. */
const LARGEST_RTF = 16 * 1024 * 1024;
const BOUNDARY = 'tnef-as-mime';

/** Types and names under which Outlook's own format comes. */
export const mayBeTnef = ({ type, name }: { type: string; name: string | null }): boolean =>
  /^application\/(?:vnd\.)?ms-tnef$/.test(type) || /^(?:winmail|win)\.dat$/i.test(name ?? '');

/**
 * The message in a `winmail.dat` as a MIME part: its text, and its files beside it; without `withText` the files alone. Null for
 * what cannot be read.
 */
export function tnefContent(bytes: Buffer, withText: boolean, depth = 0): Buffer | null {
  try {
    const message = readTnef(bytes);
    const texts = withText ? textsOf(message) : [];
    const files = message.files.slice(0, MOST_FILES).map((file) => filePart(file, message.charset, depth));
    return multipart('mixed', depth, [
      ...(texts.length > 0 ? [multipart('alternative', depth, texts)] : []),
      ...files,
    ]);
  } catch {
    return null;
  }
}

function textsOf(message: TnefMessage): Buffer[] {
  const { text, html, rtf, charset } = message;
  const texts = { plain: said(text, charset), html: said(html, charset) };
  if (texts.html === '' && rtf !== null) Object.assign(texts, textOfRtf(rtf, texts.plain));
  return (['plain', 'html'] as const)
    .filter((kind) => texts[kind].trim() !== '')
    .map((kind) => leaf([`Content-Type: text/${kind}; charset=utf-8`], Buffer.from(texts[kind])));
}

/** The text or the HTML that was made into RTF (MS-OXRTFEX); RTF that was written as such is left out beside a plain text. */
function textOfRtf(compressed: Buffer, plain: string): { plain?: string; html?: string } {
  // Beyond what is there, the library would read zeros without end.
  const isCutOff = compressed.readUInt32LE(0) + 4 > compressed.length;
  if (isCutOff || compressed.length > LARGEST_RTF / 8) return {};
  const rtf = Buffer.from(decompressRTF([...compressed]));
  const decode = (bytes: Buffer, charset: string) => decodeText(bytes, charset);
  try {
    const { mode, text } = deEncapsulateSync(rtf, { decode, mode: 'either' });
    return mode === 'html' ? { html: String(text) } : { plain: String(text) };
  } catch {
    return plain === '' ? { plain: withoutMarkup(rtf.toString('latin1')) } : {};
  }
}

/** The words of RTF that holds no other format: better than nothing. */
const withoutMarkup = (rtf: string): string =>
  rtf
    .replace(/\{\\(?:fonttbl|colortbl|stylesheet|info|\*)[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '')
    .replace(/\\(?:par|line)\b ?/g, '\n')
    .replace(/\\'([0-9a-f]{2})/gi, (_, hex: string) => decodeText(Buffer.from(hex, 'hex'), 'windows-1252'))
    .replace(/\\[a-z]+-?\d* ?|[{}]|\r?\n(?=\\)/gi, '')
    .trim();

function filePart(file: TnefFile, charset: string, depth: number): Buffer {
  const name = said(file.name, charset);
  if (file.isMessage) {
    const inner = depth < DEEPEST ? tnefContent(file.bytes, true, depth + 1) : null;
    if (inner === null)
      return leaf(
        ['Content-Type: application/ms-tnef', disposition(`${name || 'message'}.tnef`)],
        file.bytes,
      );
    const subject = Buffer.from(name).toString('base64');
    const head = `Subject: =?utf-8?B?${subject}?=\r\n`;
    return leaf(
      ['Content-Type: message/rfc822', disposition(`${name || 'message'}.eml`)],
      Buffer.concat([Buffer.from(head), inner]),
    );
  }
  const type = /^[\w.+-]+\/[\w.+-]+$/.exec(said(file.type, charset))?.[0] ?? 'application/octet-stream';
  const id = said(file.contentId, charset).replace(/[^\x21-\x7e]|[<>]/g, '');
  return leaf(
    [`Content-Type: ${type}`, disposition(name), ...(id ? [`Content-ID: <${id}>`] : [])],
    file.bytes,
  );
}

/** With the name as RFC 2231 writes it. */
const disposition = (name: string): string =>
  `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)}`;

const said = (value: Value | null, charset: string): string =>
  value === null ? '' : typeof value === 'string' ? value : decodeText(value, charset);

const leaf = (head: string[], body: Buffer): Buffer => {
  const encoded = body.toString('base64').replace(/.{76}/g, '$&\r\n');
  return Buffer.from(`${head.join('\r\n')}\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded}`, 'latin1');
};

function multipart(kind: string, depth: number, parts: Buffer[]): Buffer {
  if (parts.length === 0) return Buffer.from('Content-Type: text/plain\r\n\r\n');
  const boundary = `${BOUNDARY}-${kind}-${depth}`;
  const delimiter = Buffer.from(`\r\n--${boundary}\r\n`);
  return Buffer.concat([
    Buffer.from(`Content-Type: multipart/${kind}; boundary="${boundary}"\r\n`),
    ...parts.flatMap((one) => [delimiter, one]),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}
