import { randomUUID } from 'node:crypto';
import { invalid, type Problem } from '../problems/problem.js';

export const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const;

/** More fields than people fill in: only work for the database. */
const MOST_FIELDS = 1_000;

/** Throws a `Problem` when a form has more fields than people fill in. */
export function requireFew(fields: unknown[]): void {
  if (fields.length > MOST_FIELDS) throw malformed(`must hold at most ${MOST_FIELDS} fields`);
}

/** An unread body as HTML forms send it. */
export class FormBody {
  constructor(
    private readonly type: string,
    private readonly bytes: Buffer,
  ) {}

  /** Its fields in order. Throws a `Problem` for a malformed body or too many fields. */
  async fields(): Promise<[name: string, value: string | File][]> {
    const fields = /^multipart/i.test(this.type) ? await this.parts() : pairs(this.bytes.toString('latin1'));
    requireFew(fields);
    return fields;
  }

  /** Uses the parser that Node has for `fetch`. */
  private async parts(): Promise<[string, string | File][]> {
    const { type, bytes } = withRareBoundary(this.type, this.bytes);
    try {
      return [...(await new Response(bytes, { headers: { 'content-type': type } }).formData())];
    } catch {
      throw malformed('is no multipart/form-data');
    }
  }
}

const BOUNDARY = /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/i;

/**
 * Node's parser sees the boundary anywhere, but by RFC 2046 (5.1.1) it counts only after CRLF and two hyphens, so it gets a unique
 * one. It also refuses text before the first part and after the last, which by the RFC says nothing: that is cut off.
 */
function withRareBoundary(type: string, bytes: Buffer): { type: string; bytes: Uint8Array<ArrayBuffer> } {
  const [found, quoted, plain] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (found === undefined || !boundary) return { type, bytes: new Uint8Array(bytes) };
  const rare = `boundary-${randomUUID()}`;
  const delimiter = `\r\n--${boundary}`;
  const text = `\r\n${bytes.toString('latin1')}`;
  const last = text.indexOf(`${delimiter}--`);
  const end = last < 0 ? text.length : last + delimiter.length + 2;
  const parts = text
    .slice(Math.max(text.indexOf(delimiter), 0), end)
    .replaceAll(delimiter, `\r\n--${rare}`)
    .slice(2);
  return {
    type: type.replace(found, `; boundary=${rare}`),
    bytes: new Uint8Array(Buffer.from(parts, 'latin1')),
  };
}

function pairs(body: string): [string, string][] {
  const written = body.split('&').filter((pair) => pair !== '');
  requireFew(written);
  return written.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [decoded(name), decoded(value.join('='))];
  });
}

/** Pages not in UTF-8 send bytes of their own charset, nearly always windows-1252. */
function decoded(text: string): string {
  const bytes = unescaped(text.replaceAll('+', ' '));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const PERCENT = 0x25;
const DIGITS = new Map(Array.from('0123456789abcdefABCDEF', (one) => [one.charCodeAt(0), parseInt(one, 16)]));

/** The bytes that percent-encoding stands for (RFC 3986, 2.1); a sign that encodes nothing is itself. */
function unescaped(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const high = bytes[at] === PERCENT ? DIGITS.get(bytes[at + 1]!) : undefined;
    const low = high === undefined ? undefined : DIGITS.get(bytes[at + 2]!);
    if (low === undefined) bytes[length++] = bytes[at]!;
    else {
      bytes[length++] = high! * 16 + low;
      at += 2;
    }
  }
  return bytes.subarray(0, length);
}

const malformed = (detail: string): Problem => invalid([{ field: 'body', detail }]);
