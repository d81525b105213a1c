/** The media type, with what a reader must know of it (RFC 4180, section 3). */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

type Cell = string | number | boolean | null | undefined;

/** Lines of CSV (RFC 4180), each ended by CRLF; null is an empty cell. */
export const csvOf = (rows: Cell[][]): string =>
  rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');

function cellOf(value: Cell): string {
  const text = harmless(String(value ?? ''));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const FORMULA = /^[=+@\t\r-]/;
const NUMBER = /^-(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A spreadsheet takes text that begins like this for a formula, which may do anything; an apostrophe before it makes it text. */
const harmless = (text: string): string => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);
