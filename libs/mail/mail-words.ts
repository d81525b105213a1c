import { decodeText } from './mail-charset.js';
import { canonical } from './mail-labels.js';

/** An encoded word of a header (RFC 2047), or several that follow each other in one charset. */
interface Words {
  label: string;
  encoding: 'b' | 'q';
  content: string;
}

/**
 * A header's text with its encoded words read. Words side by side are joined before they are decoded, since many mailers
 * split them within a character, or within the base64 of one. Unlike RFC 2047 this takes words of any length, with blanks
 * and question marks in them, anywhere in the text.
 */
export function decodeWords(text: string): string {
  const once = decodeOnce(text);
  // Some gateways encode what was encoded.
  return once === text ? text : decodeOnce(once);
}

/** One value of a parameter (RFC 2231), its bytes written as in an encoded word of kind Q. */
export const decodeQ = (label: string, content: string): string =>
  decodeText(bytesOf({ label, encoding: 'q', content }), charsetOf(label));

/** Encoded words of an address header without the colons that a charset's name may have: `iso_8859-2:1987` begins a group. */
export const withoutColons = (header: string): string =>
  header.replace(START, (start, label: string, encoding: string) =>
    label.includes(':') ? `=?${charsetOf(label).replaceAll(':', '')}?${encoding}?` : start,
  );

const START = /=\?([^?\s]{1,80})\?([bq])\?/gi;

function decodeOnce(text: string): string {
  let decoded = '';
  let waiting: Words[] = [];
  let done = 0;
  let end = -1;
  const flush = () => {
    decoded += decodedTogether(waiting);
    waiting = [];
  };
  for (const match of text.matchAll(START)) {
    const [start, label, encoding] = match as unknown as [string, string, string];
    if (match.index < done) continue;
    const from = match.index + start.length;
    if (end < from) end = text.indexOf('?=', from);
    if (end === -1) break;
    const content = text.slice(from, end);
    if (content.search(START) !== -1) continue;
    const between = text.slice(done, match.index);
    if (waiting.length === 0 || between.trim() !== '') {
      flush();
      decoded += between;
    }
    waiting.push({ label, encoding: encoding.toLowerCase() as 'b' | 'q', content });
    done = end + 2;
  }
  flush();
  return decoded + text.slice(done);
}

function decodedTogether(words: Words[]): string {
  const runs: { charset: string; words: Words[] }[] = [];
  for (const word of words) {
    const charset = charsetOf(word.label);
    const run = runs.at(-1);
    if (run?.charset === charset) add(run.words, word);
    else runs.push({ charset, words: [word] });
  }
  return runs.map(({ charset, words }) => decodeText(Buffer.concat(words.map(bytesOf)), charset)).join('');
}

/** Base64 goes on in the next word where it was cut. */
function add(words: Words[], word: Words): void {
  const last = words.at(-1);
  if (last?.encoding === 'b' && word.encoding === 'b') last.content += word.content;
  else words.push(word);
}

/** The charset of a label, which may name a language too (RFC 2231, section 5); an unknown one stays as it is. */
function charsetOf(label: string): string {
  const [charset = ''] = label.split('*');
  return canonical(charset) ?? charset;
}

/** Padding ends a piece of base64; another may follow. */
function bytesOf({ encoding, content }: Words): Buffer {
  if (encoding === 'b') return Buffer.concat(content.split('=').map((piece) => Buffer.from(piece, 'base64')));
  const bytes = Buffer.from(content.replace(/=\s+(?=[\da-f])/gi, '=').replace(/[_\s]/g, ' ')).toString(
    'latin1',
  );
  const decoded = bytes.replace(/=([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}
