import { parseCsv, readText } from './csv.js';

const cells = (text: string) => parseCsv(text).map((row) => row.cells);

describe('separated text', () => {
  it.each([
    ['commas', 'a,b\n1,2'],
    ['semicolons', 'a;b\r\n1;2\r\n'],
    ['tabs, a byte order mark', '\uFEFFa\tb\n1\t2\n'],
    ['quotes', '"a","b"\n"1","2"'],
    ['empty lines', '\na,b\n\n,\n1,2\n\n'],
    ['empty lines before semicolons', '\n \r\na;b\n1;2'],
    ['line ends of old Macs', 'a;b\r1;2\r'],
    ['a DOS end mark', 'a,b\r\n1,2\r\n\x1a'],
    ['a DOS end mark behind the last cell, and padding', 'a,b\r\n1,2\x1a\x1a\0\0\r\n'],
    ['rows of invisible characters', 'a,b\n\u200b,\ufeff\n1,2\n\u3000,\u00a0\n\u00ad\x01,"\u2060"\n'],
    ['the separator told before', 'sep=;\r\na;b\r\n1;2'],
    ['the separator told before, and another in the header', '\uFEFFSEP=|\n"a"|b\n1|2'],
    ['the separator told in quotes', '"sep=\t"\r\na\tb\r\n1\t2'],
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

  it('is separated by what the header has outside quotes', () => {
    expect(cells('"a, b, c";d\n1,2;3')).toEqual([
      ['a, b, c', 'd'],
      ['1,2', '3'],
    ]);
    expect(cells('"a\n,,";b\n1;2')).toEqual([
      ['a\n,,', 'b'],
      ['1', '2'],
    ]);
  });

  it.each(['\n', '\r\n', '\r'])('has its lines counted, whatever ends them: %j', (end) => {
    const text = ['sep=,', '', 'a,b', '"x', 'y",2', '\u200b', '3,4', ''].join(end);
    expect(parseCsv(text).map(({ line }) => line)).toEqual([3, 4, 7]);
  });

  it('may begin with a name that begins like a told separator', () =>
    expect(cells('sep=x,b\n1,2')).toEqual([
      ['sep=x', 'b'],
      ['1', '2'],
    ]));

  it('keeps a mark of the end that is not at the end', () =>
    expect(cells('a\n1\x1a2\n3\x1a')).toEqual([['a'], ['1\x1a2'], ['3']]));

  it('may be in UTF-16 with its byte order mark', () => {
    const little = Buffer.from('\uFEFFname\tJosé 😀', 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const bytes of [little, big]) expect(cells(readText(bytes))).toEqual([['name', 'José 😀']]);
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
    expect(readText(Buffer.from('\uFEFFname\nJosé'))).toBe('\uFEFFname\nJosé');
    for (const encoded of [
      Buffer.from('name\nAnn\nJosé\nBo', 'latin1'),
      Buffer.from('name\nAnn\nJosé', 'latin1'),
    ])
      expect(() => readText(encoded)).toThrow('line 3: is not UTF-8');
  });
});
