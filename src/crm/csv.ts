import { isUtf8 } from 'node:buffer';
import { isBlank } from '#kernel/unseen.js';

/** A row of a text table, and the number of its first line. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/**
 * Reads bytes as UTF-8, or as UTF-16 where they begin with its byte order mark, as spreadsheets save "Unicode text". Throws
 * for other bytes, naming the line.
 */
export function readText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (isUtf8(bytes)) return bytes.toString();
  for (let [line, at] = [1, 0]; ; line++) {
    const end = bytes.indexOf('\n', at);
    if (!isUtf8(bytes.subarray(at, end === -1 ? bytes.length : end)))
      throw new Error(`line ${line}: is not UTF-8; save the file as CSV UTF-8`);
    at = end + 1;
  }
}

/** With this line a spreadsheet is told the separator. */
const SEPARATOR_LINE = /^"?sep=([,;\t|])"?[ \t]*(?:\r\n?|\n|$)/i;

const LINE_END = /\r\n?|\n/g;

/**
 * Parses text separated by commas, semicolons or tabs (RFC 4180), whichever the first line uses, or as a line `sep=;` before it
 * says. Skips rows in which nobody sees anything. Throws for a quote that is never closed.
 */
export function parseCsv(file: string): CsvRow[] {
  const text = withoutEndMark(file.replace(/^\uFEFF/, ''));
  const [told = '', toldSeparator] = SEPARATOR_LINE.exec(text) ?? [];
  const separator = toldSeparator ?? separatorOf(text);
  const cell = new RegExp(`"((?:[^"]|"")*)"([^${separator}\\r\\n]*)|([^${separator}\\r\\n]*)`, 'y');
  const rows: CsvRow[] = [];
  let line = 1 + linesIn(told);
  let row: CsvRow = { line, cells: [] };
  for (let at = told.length; at <= text.length; at++) {
    cell.lastIndex = at;
    const [whole = '', quoted, rest = '', bare = ''] = cell.exec(text) ?? [];
    if (quoted === undefined && bare.startsWith('"'))
      throw new Error(`line ${line}: a quote is never closed`);
    row.cells.push(quoted === undefined ? bare : quoted.replaceAll('""', '"') + rest);
    line += linesIn(whole);
    at += whole.length;
    if (text[at] === separator) continue;
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    rows.push(row);
    row = { line: ++line, cells: [] };
  }
  return rows.filter(({ cells }) => !cells.every(isBlank));
}

/** Ctrl-Z: with it old programs end a file. */
const END_MARK = '\x1a';

/** The text without an end mark and what fills a file up behind it. */
function withoutEndMark(text: string): string {
  let end = text.length;
  while (end > 0 && (`${END_MARK}\0`.includes(text[end - 1]!) || text[end - 1]!.trim() === '')) end--;
  return text.includes(END_MARK, end) ? text.slice(0, end) : text;
}

const linesIn = (text: string): number => text.match(LINE_END)?.length ?? 0;

/** More than a header has. */
const LONGEST_HEADER = 100_000;

/** The separator that the first line with something in it has most of, outside quotes. */
function separatorOf(text: string): string {
  const [first = ''] = text
    .slice(0, LONGEST_HEADER)
    .replace(/"[^"]*"/g, '""')
    .split(/[\r\n]+/)
    .filter((line) => !isBlank(line));
  const count = (separator: string) => first.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}
