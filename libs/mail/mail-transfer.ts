import { decodeText, isValidIn } from './mail-charset.js';

/** A stretch of a body: pieces of base64 that follow each other, or lines that somebody put beside them. */
type Passage = { kind: 'coded'; pieces: string[] } | { kind: 'plain'; lines: string[] };

/** Whether what looks like a piece of base64 is one, and not a word. */
type Check = (piece: string) => boolean;

/** A line of base64 this long is no word that somebody wrote. */
const LONG = 40;
const isLong: Check = (piece) => piece.length >= LONG;
const isPadded: Check = (piece) => piece.endsWith('=');

/**
 * The bytes of a file in base64. What a gateway put before or after it (a notice, a footer) is no part of them. The base64 may
 * be in several pieces, each with its padding.
 */
export function fileInBase64(body: Buffer): Buffer {
  const text = body.toString('latin1');
  if (isPure(text) && (text.trimEnd().endsWith('=') || !mayHaveWords(text)))
    return Buffer.from(text, 'base64');
  const sure = codedIn(passagesIn(text, (piece) => isPadded(piece) || isLong(piece)));
  // A file of a few bytes has one short piece.
  const coded = sure ?? codedIn(passagesIn(text, () => true))?.slice(0, 1);
  return coded ? Buffer.concat(coded.map(bytesOf)) : Buffer.from(text, 'base64');
}

/** The text of a part in base64, with the plain text that a gateway put beside it; or as it is when nothing is in base64. */
export function textInBase64(body: Buffer, charset: string | null): string {
  const text = body.toString('latin1');
  const read = (piece: string) => decodeText(bytesOf(piece), charset);
  const isValid: Check = (piece) => isValidIn(bytesOf(piece), charset) && !CONTROL.test(read(piece));
  if (isPure(text) && isValid(text) && (isValidIn(bytesOf(text), 'utf-8') || !mayHaveWords(text)))
    return read(text);

  const isSure: Check = (piece) =>
    (isPadded(piece) || isLong(piece) || isValidIn(bytesOf(piece), 'utf-8')) && !CONTROL.test(read(piece));
  const sure = passagesIn(text, isSure);
  const passages = codedIn(sure) ? sure : passagesIn(text, isValid);
  if (isPure(text) && !codedIn(passages) && !CONTROL.test(read(text))) return read(text);
  return passages
    .map((passage) =>
      passage.kind === 'coded'
        ? decodeText(Buffer.concat(passage.pieces.map(bytesOf)), charset)
        : decodeText(Buffer.from(passage.lines.join('\n'), 'latin1'), null),
    )
    .map((part, nr, parts) => (nr === parts.length - 1 || part.endsWith('\n') ? part : `${part}\n`))
    .join('');
}

/** Characters that no text has. */
// eslint-disable-next-line no-control-regex -- they are looked for
const CONTROL = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;

/** Nothing but base64 and white space, padding at the end only: the common case. */
const isPure = (text: string): boolean => /^[A-Za-z0-9+/\s]*={0,2}$/.test(text.trimEnd());

/** Whether some lines, but not all, may be words: there are blanks in them. */
function mayHaveWords(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const broken = lines.filter((line) => line.length < LONG && /\S\s+\S/.test(line)).length;
  return broken > 0 && broken < lines.length;
}

/** The pieces of base64; null where there are none. */
function codedIn(passages: Passage[]): string[] | null {
  const pieces = passages.flatMap((passage) => (passage.kind === 'coded' ? passage.pieces : []));
  return pieces.length > 0 ? pieces : null;
}

/** Padding ends a quantum, and another may follow. */
function bytesOf(piece: string): Buffer {
  return Buffer.concat(piece.split('=').map((part) => Buffer.from(part, 'base64')));
}

/** Cuts a body into what is base64 and what is not. */
function passagesIn(text: string, isCoded: Check): Passage[] {
  const passages: Passage[] = [];
  const lines = text.split(/\r?\n/);
  const codes = lines.map(codeIn);
  for (let at = 0; at < lines.length;) {
    const { piece, end } = pieceAt(codes, at, isCoded);
    const last = passages.at(-1);
    if (end > at) {
      if (last?.kind === 'coded') last.pieces.push(piece);
      else passages.push({ kind: 'coded', pieces: [piece] });
    } else if (last?.kind === 'plain') last.lines.push(lines[at]!);
    else if (lines[at]!.trim() !== '') passages.push({ kind: 'plain', lines: [lines[at]!] });
    at = Math.max(end, at + 1);
  }
  return passages;
}

/** Characters in a line of base64 that another line follows: encoders write 76, 72, 64 or 60. */
const NARROWEST = 60;

/**
 * The piece of base64 that begins in a line, and the line after it; that line itself where none begins. All lines but the last
 * have the length of the first, as encoders write them; padding ends a piece.
 */
function pieceAt(codes: (string | null)[], start: number, isCoded: Check): { piece: string; end: number } {
  const length = codes[start]?.length ?? 0;
  let end = start;
  while (end < codes.length && codes[end]?.length === length && !isPadded(codes[end]!)) end += 1;
  const whole = codes.slice(start, end).join('');
  const next = codes[end] ?? null;
  const isLast = next !== null && (whole === '' || length >= NARROWEST) && next.length <= length;
  // A word right below looks like the last line: in a file, one of four, eight or twelve letters is taken for it.
  const candidates = [...(isLast ? [{ piece: whole + next, end: end + 1 }] : []), { piece: whole, end }];
  const found = candidates.find(({ piece }) => piece !== '' && isWhole(piece) && isCoded(piece));
  return found ?? { piece: '', end: start };
}

const isWhole: Check = (piece) => piece.replace(/={1,2}$/, '').length % 4 !== 1;

const BASE64 = /^(?:[A-Za-z0-9+/]+={0,2}|(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})+)$/;

/** A line as base64, without what decoders have to ignore (RFC 2045, 6.8); null for a blank line and for other text. */
function codeIn(line: string): string | null {
  const bare = line.replace(/\s/g, '');
  if (bare.length < LONG) return BASE64.test(bare) && bare.length === line.trim().length ? bare : null;
  const code = bare.replace(/[^A-Za-z0-9+/=]/g, '');
  return bare.length - code.length <= 2 && !/[.:@]/.test(bare) && BASE64.test(code) ? code : null;
}
