import { createRequire } from 'node:module';
import { decodeText } from './mail-charset.js';
import { parseMail } from './parse-mail.js';

const require = createRequire(import.meta.url);
/** The tables of the Encoding Standard, as another library keeps them: by pointer, a code point or null. */
const { 'encoding-indexes': TABLES } = require('text-encoding/lib/encoding-indexes.js') as {
  'encoding-indexes': Record<string, (number | null)[]>;
};

/** Code points that GB18030-2022 gave to pointers since that library was written. */
const NEWER: [number, number][] = [
  [0xa6d9, 0xfe10],
  [0xa6da, 0xfe12],
  [0xa6db, 0xfe11],
  [0xa6dc, 0xfe13],
  [0xa6dd, 0xfe14],
  [0xa6de, 0xfe15],
  [0xa6df, 0xfe16],
  [0xa6ec, 0xfe17],
  [0xa6ed, 0xfe18],
  [0xa6f3, 0xfe19],
  [0xfe59, 0x9fb4],
  [0xfe61, 0x9fb5],
  [0xfe66, 0x9fb6],
  [0xfe67, 0x9fb7],
  [0xfe6d, 0x9fb8],
  [0xfe7e, 0x9fb9],
  [0xfe90, 0x9fba],
  [0xfea0, 0x9fbb],
];
for (const [pair, codePoint] of NEWER) {
  const trail = pair & 0xff;
  TABLES['gb18030']![((pair >> 8) - 0x81) * 190 + trail - (trail < 0x7f ? 0x40 : 0x41)] = codePoint;
}

/** Every label of the standard by the encoding that it names, but those of the encoding that reads nothing. */
const LABELS: [encoding: string, labels: string][] = [
  ['utf-8', 'unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8'],
  ['utf-16be', 'unicodefffe utf-16be'],
  ['utf-16le', 'csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le'],
  ['iso-8859-2', 'csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2'],
  ['iso-8859-3', 'csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3'],
  ['iso-8859-4', 'csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4'],
  [
    'iso-8859-5',
    'csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988',
  ],
  [
    'iso-8859-6',
    'arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987',
  ],
  [
    'iso-8859-7',
    'csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek',
  ],
  [
    'iso-8859-8',
    'csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual',
  ],
  ['iso-8859-8-i', 'csiso88598i iso-8859-8-i logical'],
  ['iso-8859-16', 'iso-8859-16'],
  ['koi8-r', 'cskoi8r koi koi8 koi8-r koi8_r'],
  ['koi8-u', 'koi8-ru koi8-u'],
  ['windows-874', 'dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874'],
  ['ibm866', '866 cp866 csibm866 ibm866'],
  ['x-mac-cyrillic', 'x-mac-cyrillic x-mac-ukrainian'],
  ['macintosh', 'csmacintosh mac macintosh x-mac-roman'],
  ['gbk', 'chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk'],
  ['gb18030', 'gb18030'],
  ['big5', 'big5 big5-hkscs cn-big5 csbig5 x-x-big5'],
  ['euc-jp', 'cseucpkdfmtjapanese euc-jp x-euc-jp'],
  ['shift_jis', 'csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis'],
  [
    'euc-kr',
    'cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949',
  ],
  ['iso-2022-jp', 'csiso2022jp iso-2022-jp'],
  ['x-user-defined', 'x-user-defined'],
  ['iso-8859-10', 'csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6'],
  ['iso-8859-13', 'iso-8859-13 iso8859-13 iso885913'],
  ['iso-8859-14', 'iso-8859-14 iso8859-14 iso885914'],
  ['iso-8859-15', 'csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9'],
  ['windows-1250', 'cp1250 windows-1250 x-cp1250'],
  ['windows-1251', 'cp1251 windows-1251 x-cp1251'],
  [
    'windows-1252',
    'ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252',
  ],
  ['windows-1253', 'cp1253 windows-1253 x-cp1253'],
  [
    'windows-1254',
    'cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254',
  ],
  ['windows-1255', 'cp1255 windows-1255 x-cp1255'],
  ['windows-1256', 'cp1256 windows-1256 x-cp1256'],
  ['windows-1257', 'cp1257 windows-1257 x-cp1257'],
  ['windows-1258', 'cp1258 windows-1258 x-cp1258'],
];
const EVERY = LABELS.flatMap(([encoding, labels]) =>
  labels.split(' ').map((label): [label: string, encoding: string] => [label, encoding]),
);

const BAD = '\ufffd';
const isAscii = (byte: number) => byte < 0x80;
const within = (byte: number, first: number, last: number) => byte >= first && byte <= last;

/** A character of a table; '' where it has none. */
const inTable = (table: string, pointer: number): string => {
  const codePoint = TABLES[table]![pointer] ?? null;
  return codePoint === null ? '' : String.fromCodePoint(codePoint);
};

/** How a multi-byte encoding reads one byte that begins no pair; '' for one that does; and two that make a pair, if they do. */
interface MultiByte {
  one(byte: number): string;
  two(lead: number, trail: number): string;
}

const CHINESE: MultiByte = {
  one: (byte) => (byte === 0x80 ? '€' : byte === 0xff ? BAD : ''),
  two: (lead, trail) =>
    within(trail, 0x40, 0x7e) || within(trail, 0x80, 0xfe)
      ? inTable('gb18030', (lead - 0x81) * 190 + trail - (trail < 0x7f ? 0x40 : 0x41))
      : '',
};
const BIG5_TWICE: Record<number, string> = { 1133: 'Ê̄', 1135: 'Ê̌', 1164: 'ê̄', 1166: 'ê̌' };
const MULTI_BYTE: Record<string, MultiByte> = {
  gbk: CHINESE,
  gb18030: CHINESE,
  'euc-kr': {
    one: (byte) => (within(byte, 0x81, 0xfe) ? '' : BAD),
    two: (lead, trail) =>
      within(trail, 0x41, 0xfe) ? inTable('euc-kr', (lead - 0x81) * 190 + trail - 0x41) : '',
  },
  big5: {
    one: (byte) => (within(byte, 0x81, 0xfe) ? '' : BAD),
    two: (lead, trail) => {
      if (!within(trail, 0x40, 0x7e) && !within(trail, 0xa1, 0xfe)) return '';
      const pointer = (lead - 0x81) * 157 + trail - (trail < 0x7f ? 0x40 : 0x62);
      return BIG5_TWICE[pointer] ?? inTable('big5', pointer);
    },
  },
  'euc-jp': {
    one: (byte) => (byte === 0x8e || byte === 0x8f || within(byte, 0xa1, 0xfe) ? '' : BAD),
    two: (lead, trail) => {
      if (lead === 0x8e && within(trail, 0xa1, 0xdf)) return String.fromCodePoint(0xff61 - 0xa1 + trail);
      return within(lead, 0xa1, 0xfe) && within(trail, 0xa1, 0xfe)
        ? inTable('jis0208', (lead - 0xa1) * 94 + trail - 0xa1)
        : '';
    },
  },
  shift_jis: {
    one: (byte) => {
      if (byte === 0x80) return '\x80';
      if (within(byte, 0xa1, 0xdf)) return String.fromCodePoint(0xff61 - 0xa1 + byte);
      return within(byte, 0x81, 0x9f) || within(byte, 0xe0, 0xfc) ? '' : BAD;
    },
    two: (lead, trail) => {
      if (!within(trail, 0x40, 0x7e) && !within(trail, 0x80, 0xfc)) return '';
      const pointer = (lead - (lead < 0xa0 ? 0x81 : 0xc1)) * 188 + trail - (trail < 0x7f ? 0x40 : 0x41);
      return within(pointer, 8836, 10715)
        ? String.fromCodePoint(0xe000 - 8836 + pointer)
        : inTable('jis0208', pointer);
    },
  },
};

/** What a line of two bytes is, by the standard. */
function pairIn(encoding: string, first: number, second: number): string {
  const multiByte = MULTI_BYTE[encoding];
  if (!multiByte) return single(encoding, first) + single(encoding, second);
  const alone = (byte: number) => (isAscii(byte) ? String.fromCodePoint(byte) : multiByte.one(byte) || BAD);
  if (isAscii(first) || multiByte.one(first) !== '') return alone(first) + alone(second);
  const read = multiByte.two(first, second);
  if (read !== '') return read;
  return isAscii(second) ? BAD + alone(second) : BAD;
}

function single(encoding: string, byte: number): string {
  if (isAscii(byte)) return String.fromCodePoint(byte);
  if (encoding === 'x-user-defined') return String.fromCodePoint(0xf700 + byte);
  return inTable(encoding.replace(/-i$/, ''), byte - 0x80) || BAD;
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte);
const PAIRS = BYTES.flatMap((first) => BYTES.map((second): [number, number] => [first, second]));

/** One pair a line. */
function everyPair(encoding: string): { bytes: Buffer; text: string } {
  if (encoding === 'utf-8') {
    const text = PAIRS.map(([first, second]) => `${String.fromCharCode(first * 256 + second)}\n`).join('');
    return { bytes: Buffer.from(text), text: text.toWellFormed() };
  }
  if (encoding.startsWith('utf-16')) {
    const units = Buffer.from(PAIRS.flatMap((pair) => [...pair, 0, 10]));
    const text = PAIRS.map(([first, second]) => `${String.fromCharCode(first * 256 + second)}\n`).join('');
    return { bytes: encoding === 'utf-16be' ? units : units.swap16(), text: text.toWellFormed() };
  }
  if (encoding === 'iso-2022-jp') {
    const pairs = PAIRS.filter((pair) => pair.every((byte) => within(byte, 0x21, 0x7e)));
    const lines = pairs.map(
      ([first, second]) => inTable('jis0208', (first - 0x21) * 94 + second - 0x21) || BAD,
    );
    const bytes = pairs.flatMap((pair) => [...Buffer.from('\x1b$B'), ...pair, ...Buffer.from('\x1b(B\n')]);
    return { bytes: Buffer.from(bytes), text: lines.map((line) => `${line}\n`).join('') };
  }
  const bytes = Buffer.from(PAIRS.flatMap((pair) => [...pair, 10]));
  return { bytes, text: PAIRS.map((pair) => `${pairIn(encoding, ...pair)}\n`).join('') };
}

it.each(LABELS)('every pair of bytes is read as the standard says in %s: %s', (encoding, labels) => {
  const { bytes, text } = everyPair(encoding);
  for (const label of labels.split(' ')) {
    const read = decodeText(bytes, label);
    // Only what differs is compared line by line: to print how two such texts differ takes minutes.
    const wrong = read === text ? [] : differences(read.split('\n'), text.split('\n'));
    expect({ label, wrong: wrong.slice(0, 5) }).toEqual({ label, wrong: [] });
  }
});

const differences = (lines: string[], expected: string[]): unknown[] =>
  Array.from({ length: Math.max(lines.length, expected.length) }, (_, nr) => [
    nr,
    lines[nr],
    expected[nr],
  ]).filter(([, line, right]) => line !== right);

/** Some letters beyond ASCII, none of them white space. */
function letters(encoding: string): { bytes: Buffer; text: string } {
  if (encoding === 'utf-8') return { bytes: Buffer.from('Grüße 漢字'), text: 'Grüße 漢字' };
  if (encoding.startsWith('utf-16')) {
    const bytes = Buffer.from('Grüße 漢字', 'utf16le');
    return { bytes: encoding === 'utf-16be' ? bytes.swap16() : bytes, text: 'Grüße 漢字' };
  }
  if (encoding === 'iso-2022-jp') return { bytes: Buffer.from('\x1b$B%F%9%H4A;z\x1b(B'), text: 'テスト漢字' };
  const isMulti = encoding in MULTI_BYTE;
  const some = PAIRS.filter(
    ([first, second]) =>
      first === (isMulti ? 0xb0 : 0x61) &&
      second > 0xa0 &&
      /^.?\p{L}$/u.test(pairIn(encoding, first, second)),
  ).slice(0, 12);
  const pairs: [number, number][] = some.length > 0 ? some : [[0xe1, 0xe2]];
  return {
    bytes: Buffer.from(pairs.flat()),
    text: pairs.map((pair) => pairIn(encoding, ...pair)).join(''),
  };
}

const hex = (bytes: Buffer, mark: string) =>
  [...bytes].map((byte) => mark + byte.toString(16).padStart(2, '0').toUpperCase()).join('');

/** A mail with the bytes in subject, name of the sender, body, and the names of two files. */
function mailWith(label: string, bytes: Buffer, encoding: string, body: string): Buffer {
  const lines = [
    `From: =?${label}?Q?${hex(bytes, '=')}?= <ann@example.org>`,
    `Subject: =?${label}?B?${bytes.toString('base64')}?=`,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    `Content-Type: text/plain; charset="${label}"`,
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    body,
    '--b',
    'Content-Type: application/pdf',
    `Content-Disposition: attachment; filename*=${label}''${hex(bytes, '%')}`,
    '',
    '',
    '--b',
    `Content-Type: application/pdf; name="=?${label}?B?${bytes.toString('base64')}?="`,
    'Content-Disposition: attachment',
    '',
    '',
    '--b--',
  ];
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

it.each(EVERY)('%s is read in body, header and file name (%s)', async (label, encoding) => {
  const { bytes, text } = letters(encoding);
  const bodies: [encoding: string, body: string][] = [
    ['quoted-printable', hex(bytes, '=')],
    ['base64', bytes.toString('base64')],
    ...(encoding.startsWith('utf-16') ? [] : [['8bit', bytes.toString('latin1')] as [string, string]]),
  ];
  for (const [transfer, body] of bodies) {
    const mail = await parseMail(mailWith(label, bytes, transfer, body));
    const names = mail.attachments.map(({ name }) => name);
    expect([mail.text, mail.subject, mail.from?.name, ...names]).toEqual([text, text, text, text, text]);
  }
});

it.each([
  ['cp949', 'euc-kr'],
  ['CP949', 'euc-kr'],
  ['uhc', 'euc-kr'],
  ['ms949', 'euc-kr'],
  ['x-windows-949', 'euc-kr'],
  ['cp936', 'gbk'],
  ['MS936', 'gbk'],
  ['euc-cn', 'gbk'],
  ['cp54936', 'gb18030'],
  ['cp950', 'big5'],
  ['x-windows-950', 'big5'],
  ['big5hkscs', 'big5'],
  ['Big5-Eten', 'big5'],
  ['cp932', 'shift_jis'],
  ['windows-932', 'shift_jis'],
  ['eucJP-ms', 'euc-jp'],
  ['cp51932', 'euc-jp'],
  ['cp50220', 'iso-2022-jp'],
  ['latin-9', 'iso-8859-15'],
  ['latin9', 'iso-8859-15'],
  ['ISO_8859_15', 'iso-8859-15'],
  ['latin-2', 'iso-8859-2'],
  ['iso-latin-1', 'windows-1252'],
  ['cp28592', 'iso-8859-2'],
  ['cp874', 'windows-874'],
  ['tis620', 'windows-874'],
  ['ibm-1251', 'windows-1251'],
  ['koi8_u', 'koi8-u'],
  ['MacRoman', 'macintosh'],
  ['x-mac-roman', 'macintosh'],
  ['utf_8', 'utf-8'],
  ['utf8mb4', 'utf-8'],
  ['cp65001', 'utf-8'],
  ['utf16le', 'utf-16le'],
])('%s, which the standard does not list, is %s', (label, encoding) => {
  const { bytes, text } = letters(encoding);
  expect(decodeText(bytes, label)).toBe(text);
});

it.each([
  ['cp437', 'Gr\x81\xe1e'],
  ['ibm-850', 'Gr\x81\xe1e'],
  ['utf-7', 'Gr+APwA3w-e'],
  ['utf-32le', 'G\0\0\0r\0\0\0\xfc\0\0\0\xdf\0\0\0e\0\0\0'],
])('%s is read, though no browser knows it', (label, bytes) => {
  expect(decodeText(Buffer.from(bytes, 'latin1'), label)).toBe('Grüße');
});

it.each(['binary', 'base64', 'hex', 'iso-2022-kr', 'x'.repeat(100_000)])(
  'the label %.20s says nothing about the text',
  (label) => expect(decodeText(Buffer.from('Grüße'), label)).toBe('Grüße'),
);

describe('UTF-16 is known by its byte order mark', () => {
  const little = Buffer.from('\ufeffGrüße\r\n', 'utf16le');
  const big = Buffer.from(little).swap16();

  it.each([null, 'utf-16', 'utf-16le', 'utf-16be', 'utf-8', 'us-ascii', 'windows-1251', 'x-unknown'])(
    'in text that claims to be %s',
    (label) => {
      for (const bytes of [little, big]) expect(decodeText(bytes, label)).toBe('Grüße\r\n');
    },
  );

  it('but not in other text that begins with these bytes', () => {
    expect(decodeText(Buffer.from('\xfe\xff: \xdf\xe7\xfb\xea', 'latin1'), 'windows-1251')).toBe('юя: Язык');
  });
});

it('HTML whose own declaration says UTF-16 is not in UTF-16', () => {
  const html = '<meta charset="utf-16"><p>Grüße</p>';
  expect(decodeText(Buffer.from(html), null)).toBe(html);
});
