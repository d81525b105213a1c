import { isUtf8 } from 'node:buffer';

/** A row of a text table, and the number of its first line. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** Reads bytes as UTF-8. Throws for other bytes, naming the line. */
export function readUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  for (let [line, at] = [1, 0]; ; line++) {
    const end = bytes.indexOf('\n', at);
    if (!isUtf8(bytes.subarray(at, end === -1 ? bytes.length : end)))
      throw new Error(`line ${line}: is not UTF-8; save the file as CSV UTF-8`);
    at = end + 1;
  }
}

/**
 * Parses text separated by commas, semicolons or tabs (RFC 4180), whichever the first line uses. Skips empty lines. Throws
 * for a quote that is never closed.
 */
export function parseCsv(text: string): CsvRow[] {
  const separator = separatorOf(text);
  const cell = new RegExp(`"((?:[^"]|"")*)"([^${separator}\\r\\n]*)|([^${separator}\\r\\n]*)`, 'y');
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let line = 1;
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at <= text.length; at++) {
    cell.lastIndex = at;
    const [whole = '', quoted, rest = '', bare = ''] = cell.exec(text) ?? [];
    if (quoted === undefined && bare.startsWith('"'))
      throw new Error(`line ${line}: a quote is never closed`);
    row.cells.push(quoted === undefined ? bare : quoted.replaceAll('""', '"') + rest);
    line += whole.split('\n').length - 1;
    at += whole.length;
    if (text[at] === separator) continue;
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    rows.push(row);
    row = { line: ++line, cells: [] };
  }
  return rows.filter(({ cells }) => cells.some((one) => one.trim() !== ''));
}

function separatorOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const count = (separator: string) => first.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}
