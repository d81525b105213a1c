import { csvOf } from './csv.js';

const cell = (value: string | number | boolean | null) => csvOf([[value]]).replace(/\r\n$/, '');

describe('CSV', () => {
  it('has a line for each row, ended by CRLF, with commas between the cells', () => {
    expect(
      csvOf([
        ['a', 'b'],
        [1, null],
      ]),
    ).toBe('a,b\r\n1,\r\n');
    expect(csvOf([])).toBe('');
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' blank ', ' blank '],
    ['Zoë 渋谷', 'Zoë 渋谷'],
    [true, 'true'],
    [null, ''],
  ])('quotes a cell where it must be: %j', (value, written) => expect(cell(value)).toBe(written));

  it.each([
    '=1+1',
    '+1 212 555 0101',
    '@SUM(A1)',
    '\tx',
    '-',
    '-x',
    '-1+1',
    '-2+3+cmd|x',
    '--1',
    '-.',
    '-1e',
  ])('has an apostrophe before what a spreadsheet would take for a formula: %j', (text) =>
    expect(cell(text)).toBe(`'${text}`),
  );

  it('has the apostrophe within the quotes', () => {
    expect(cell('=HYPERLINK("x","y")')).toBe(`"'=HYPERLINK(""x"",""y"")"`);
    expect(cell('\rx')).toBe(`"'\rx"`);
  });

  it.each(['-1', '-12.50', '-.5', '-1e3', 'a=b', '1-2', "'=1", ''])('leaves %j as it is', (text) =>
    expect(cell(text)).toBe(text),
  );

  it('leaves numbers as they are', () => expect(cell(-1.5)).toBe('-1.5'));
});
