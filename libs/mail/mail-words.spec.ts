import { decodeWords } from './mail-words.js';
import { parseMail } from './parse-mail.js';

const TEXT = 'Grüße, 漢字 und 한국어: très bien';
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const quoted = (bytes: Uint8Array) =>
  [...bytes].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join('');

describe('encoded words side by side', () => {
  const bytes = Buffer.from(TEXT);
  const cuts = Array.from(bytes.keys()).slice(1);

  it.each([
    ['base64', base64, base64],
    ['quoted-printable', quoted, quoted],
    ['base64 before quoted-printable', base64, quoted],
    ['quoted-printable before base64', quoted, base64],
  ])('are read wherever a mailer has cut the text: %s', (_, first, second) => {
    const word = (encode: typeof first, part: Buffer) =>
      `=?UTF-8?${encode === base64 ? 'B' : 'q'}?${encode(part)}?=`;
    for (const cut of cuts)
      for (const between of [' ', '\r\n\t', ''])
        expect(
          decodeWords(word(first, bytes.subarray(0, cut)) + between + word(second, bytes.subarray(cut))),
        ).toBe(TEXT);
  });

  it('are read wherever a mailer has cut the base64', () => {
    const whole = base64(bytes);
    for (let cut = 1; cut < whole.length; cut += 1)
      expect(decodeWords(`=?utf-8?b?${whole.slice(0, cut)}?= =?utf8?B?${whole.slice(cut)}?=`)).toBe(TEXT);
  });

  it('are read each in its own charset', () => {
    expect(decodeWords('=?iso-8859-1?q?Gr=FC?= =?windows-1252?q?=DFe_?= =?euc-kr?b?x9GxuQ==?=')).toBe(
      'Grüße 한국',
    );
  });

  it('are read when each begins and ends with an escape', () => {
    expect(decodeWords('=?iso-2022-jp?B?GyRCJUYbKEI=?= =?ISO-2022-JP?B?GyRCJTkbKEI=?=')).toBe('テス');
  });
});

it.each([
  ['Re: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= to =?utf-8?Q?all?=', 'Re: Grüße to all'],
  ['a =?utf-8?q?b?= c', 'a b c'],
  ['=?utf-8?Q?Really??=', 'Really?'],
  ['=?utf-8?Q?Why?_Because?=', 'Why? Because'],
  ['=?utf-8?Q?with blanks= C3=BC?=', 'with blanksü'],
  ['(=?utf-8*en?Q?a?=)', '(a)'],
  ['=?iso_8859-1:1987?q?=FC?=', 'ü'],
  ['=?utf-8?B?YQ==Yg==?=', 'ab'],
  ['=?utf-8?B?PT91dGYtOD9RP0dyPUMzPUJDPz0=?=', 'Grü'],
  ['=?utf-8?Q?unfinished', '=?utf-8?Q?unfinished'],
  ['=?utf-8?Q?a =?utf-8?Q?b?=', '=?utf-8?Q?a b'],
  ['=?utf-8?X?a?=', '=?utf-8?X?a?='],
  ['a=?b?c', 'a=?b?c'],
  ['', ''],
])('%s is read as %s', (header, text) => expect(decodeWords(header)).toBe(text));

it.each(['=?a?q?', '=?a?q?x', '=?a?q?x?=', '=?a?q?x?==?b?b?eA==?=', '?=', '=?utf-8?b?YQ?= '])(
  'a header of 900,000 characters of %s comes to an end',
  (piece) => expect(decodeWords(piece.repeat(900_000 / piece.length))).not.toBe(''),
);

describe('the name of a file', () => {
  it.each([
    ['filename="=?utf-8?Q?gr=C3?= =?utf-8?Q?=BCn.pdf?="'],
    ['filename="=?utf-8?B?Z3LD?=\r\n =?utf-8?B?vG4ucGRm?="'],
    ["filename*=utf-8''gr%C3%BCn.pdf"],
    ["filename*=''gr%C3%BCn.pdf"],
    ["filename*=iso-8859-1'de'gr%FCn.pdf"],
    ["filename*0*=utf-8''gr%C3;\r\n filename*1*=%BCn;\r\n filename*2=.pdf"],
    ['filename*0="=?utf-8?B?Z3LD";\r\n filename*1="vG4ucGRm?="'],
    ["filename=gr_n.pdf; filename*=utf-8''gr%C3%BCn.pdf"],
    ['filename="gr\xc3\xbcn.pdf"'],
    ['filename="gr\xfcn.pdf"'],
  ])('may be written as %s', async (parameter) => {
    const lines = ['Content-Type: application/pdf', `Content-Disposition: attachment; ${parameter}`, '', 'x'];
    const { attachments } = await parseMail(Buffer.from(lines.join('\r\n'), 'latin1'));
    expect(attachments.map(({ name }) => name)).toEqual(['grün.pdf']);
  });
});
