import { parseCsv, readUtf8 } from './csv.js';

const cells = (text: string) => parseCsv(text).map((row) => row.cells);

describe('separated text', () => {
  it.each([
    ['commas', 'a,b\n1,2'],
    ['semicolons', 'a;b\r\n1;2\r\n'],
    ['tabs, a byte order mark', '\uFEFFa\tb\n1\t2\n'],
    ['quotes', '"a","b"\n"1","2"'],
    ['empty lines', '\na,b\n\n,\n1,2\n\n'],
  ])('is read with %s', (_, text) => {
    expect(cells(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  it('may hold separators, quotes and line breaks between quotes', () => {
    expect(parseCsv('a,b\n"x, ""y""\nz",2\n3,4')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['x, "y"\nz', '2'] },
      { line: 4, cells: ['3', '4'] },
    ]);
  });

  it('keeps empty cells, also at the end', () => {
    expect(cells('a,b,c\n,,\n1,,')).toEqual([
      ['a', 'b', 'c'],
      ['1', '', ''],
    ]);
  });

  it('must close its quotes', () => {
    expect(() => parseCsv('a\n"x\ny')).toThrow('line 2');
  });

  it('is refused when it is not UTF-8, with the first line that is not', () => {
    expect(readUtf8(Buffer.from('\uFEFFname\nJosé'))).toBe('\uFEFFname\nJosé');
    for (const encoded of [
      Buffer.from('name\nAnn\nJosé\nBo', 'latin1'),
      Buffer.from('name\nAnn\nJosé', 'latin1'),
    ])
      expect(() => readUtf8(encoded)).toThrow('line 3: is not UTF-8');
  });
});
