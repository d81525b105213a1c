import { parseMail } from './parse-mail.js';
import type { IncomingMail } from './mail.js';

const NOW = new Date('2026-03-01T12:00:00.500Z');

/** Joins lines with CRLF, after a From and a Subject; strings hold one byte per character. */
function parse(...lines: string[]): Promise<IncomingMail> {
  return parseBare('From: Ann <ann@example.org>', 'Subject: Hello', ...lines);
}

function parseBare(...lines: string[]): Promise<IncomingMail> {
  return parseMail(Buffer.from(lines.join('\r\n'), 'latin1'), NOW);
}

/** UTF-8 as one character per byte. */
function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

describe('the text of a mail', () => {
  it('is the body of a plain mail', async () => {
    const { text } = await parse('', 'Hello,', '', '  indented', 'Ann', '');
    expect(text).toBe('Hello,\n\n  indented\nAnn');
  });

  it('is empty when the mail has none', async () => {
    const { text } = await parse(
      'Content-Type: image/png',
      'Content-Transfer-Encoding: base64',
      '',
      'iVBORw0=',
    );
    expect(text).toBe('');
  });

  it('is the HTML as text when there is no plain text, with its links', async () => {
    const { text } = await parse(
      'Content-Type: text/html',
      '',
      '<html><head><title>no</title><style>p { color: red }</style></head><body><h1>Offer</h1>',
      '<p>See <a href="https://example.org/a">our list</a> &amp;',
      '<a href="https://example.org">https://example.org</a></p>',
      '<table><tr><td>one</td><td>two</td></tr><tr><td>three</td></tr></table>',
      '<img src="https://example.org/pixel.gif"><img src="cid:logo" alt="Logo"></body></html>after the end',
    );
    expect(text.split(/\n+/)).toEqual([
      'Offer',
      'See our list [https://example.org/a] & https://example.org',
      'one two',
      'three',
      'Logo',
      'after the end',
    ]);
  });

  it('survives HTML nested deeper than the stack', async () => {
    const { text } = await parse('Content-Type: text/html', '', `${'<div>'.repeat(6_000)}deep`);
    expect(text).toBe('deep');
  });

  it('is what stands between the tags of HTML with more than 50,000', async () => {
    const { text } = await parse(
      'Content-Type: text/html',
      '',
      '<style>p { color: red }</style><h1>Offer</h1>',
      '<p>Blue &amp; <b>green</b></p><script>if (a<b) alert("<p>no</p>")</script><tr><td>one</td><td>two</td></tr>',
      '<br>'.repeat(50_000),
      'The end',
    );
    expect(text.split('\n').map((line) => line.replace(/\s+/g, ' '))).toEqual([
      'Offer',
      'Blue & green',
      'one two',
      'The end',
    ]);
  });

  it('is the plain alternative', async () => {
    const { text } = await parse(...multipart('alternative', 'b', ['', 'plain'], [HTML, '', '<p>rich</p>']));
    expect(text).toBe('plain');
  });

  it('is the HTML alternative when the plain one is blank', async () => {
    const { text } = await parse(...multipart('alternative', 'b', ['', ' '], [HTML, '', '<p>rich</p>']));
    expect(text).toBe('rich');
  });

  it.each(['\u200b', '\ufeff', '\xa0', '\xad', '\u200c \u200d\u2060\r\n\u00a0', '\u034f\u3164\u2800', '&'])(
    'is that of the HTML when the plain text has no visible character (%j, but for &)',
    async (invisible) => {
      const plain = [TEXT('utf-8'), '', utf8(invisible)];
      const expected =
        invisible === '&' ? { alternative: '&', mixed: '&\n\nrich' } : { alternative: 'rich', mixed: 'rich' };
      for (const [kind, text] of Object.entries(expected))
        expect((await parse(...multipart(kind, 'b', plain, [HTML, '', '<p>rich</p>']))).text).toBe(text);
    },
  );

  it('is that of all parts in order, without attachments', async () => {
    const { text } = await parse(
      ...multipart(
        'mixed',
        'out',
        multipart('alternative', 'in', ['', 'plain'], [HTML, '', '<p>rich</p>']),
        ['Content-Disposition: attachment; filename=notes.txt', 'Content-Type: text/plain', '', 'attached'],
        [HTML, '', '<p>footer</p>'],
        ['Content-Disposition: inline', '', 'last'],
      ),
    );
    expect(text).toBe('plain\n\nfooter\n\nlast');
  });

  it('includes a part whose disposition is unknown', async () => {
    const { text } = await parse('Content-Disposition: =?utf-8?Q?odd?=', HTML, '', '<p>Hello</p>');
    expect(text).toBe('Hello');
  });

  it('is another kind of text only when there is nothing better', async () => {
    const enriched = ['Content-Type: text/enriched', '', '<bold>Hello</bold>'];
    expect((await parse(...enriched)).text).toBe('<bold>Hello</bold>');
    expect((await parse(...multipart('alternative', 'b', enriched, [HTML, '', 'rich']))).text).toBe('rich');
  });

  it('is that of an attached message only when the mail has none of its own', async () => {
    const message = ['Content-Type: message/rfc822', '', 'Subject: inner', '', 'inner text'];
    expect((await parse(...multipart('mixed', 'b', message))).text).toBe('inner text');
    expect((await parse(...multipart('mixed', 'b', ['', 'outer text'], message))).text).toBe('outer text');
  });

  it('includes a message that is to be shown inline', async () => {
    const message = ['Content-Type: message/rfc822', 'Content-Disposition: inline', '', '', 'inner text'];
    const { text } = await parse(...multipart('mixed', 'b', ['', 'outer text'], message));
    expect(text).toBe('outer text\n\ninner text');
  });
});

describe('attachments', () => {
  const NOTE = ['', 'see the file'];
  const PRICES = Buffer.from('gr\xfcn;1\r\n', 'latin1');

  it.each([
    ['text/csv; charset=iso-8859-1; name="prices.csv"', 'inline; filename="prices.csv"', 'prices.csv'],
    ['text/csv', 'inline; filename="=?iso-8859-1?Q?gr=FCn.csv?="', 'grün.csv'],
    ['text/x-vcard; name="joe.vcf"', null, 'joe.vcf'],
    ['Text/Calendar; method=REQUEST; name="invite.ics"', null, 'invite.ics'],
    ['text/xml; name="order.xml"', null, 'order.xml'],
    ['text/rtf', 'inline; filename=letter.rtf', 'letter.rtf'],
    ['text/calendar; method=REQUEST', null, null],
    ['text/vcard', 'inline', null],
    ['text/csv', null, null],
    ['text/csv; charset=utf-16', 'inline', null],
    ['text/x-log', null, null],
    ['text/x-unheard-of', 'inline', null],
  ])('include text that is a file: %s (%j)', async (type, disposition, name) => {
    const file = [
      `Content-Type: ${type}`,
      ...(disposition === null ? [] : [`Content-Disposition: ${disposition}`]),
      'Content-Transfer-Encoding: base64',
      '',
      PRICES.toString('base64'),
    ];
    for (const beside of [NOTE, [HTML, '', '<p>see the file</p>']]) {
      const { text, attachments } = await parse(...multipart('mixed', 'b', beside, file));
      expect(text).toBe('see the file');
      expect(attachments).toEqual([
        {
          name,
          type: type.split(';')[0]!.toLowerCase(),
          isInline: false,
          contentId: null,
          bytes: PRICES,
        },
      ]);
    }
  });

  it('do not include other text that is an alternative, or all there is', async () => {
    const amp = ['Content-Type: text/x-amp-html', '', '<html amp4email>'];
    const enriched = ['Content-Type: text/enriched', '', '<bold>Hello</bold>'];
    const mails = [
      multipart('alternative', 'b', ['', 'plain'], amp),
      multipart('mixed', 'b', enriched, ['', '']),
    ];
    const read = await Promise.all(mails.map((mail) => parse(...mail)));
    expect(read.map(({ text, attachments }) => [text, attachments])).toEqual([
      ['plain', []],
      ['<bold>Hello</bold>', []],
    ]);
  });

  it('include the invitation among the alternatives', async () => {
    const invitation = [
      'Content-Type: text/calendar; charset=utf-8; method=REQUEST',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'BEGIN:VCALENDAR',
      'SUMMARY:Gr=C3=BC=C3=9Fe',
      'END:VCALENDAR',
    ];
    const { text, attachments } = await parse(
      ...multipart('alternative', 'b', ['', 'plain'], [HTML, '', '<p>rich</p>'], invitation),
    );
    expect(text).toBe('plain');
    expect(attachments.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([
      'BEGIN:VCALENDAR\r\nSUMMARY:Grüße\r\nEND:VCALENDAR',
    ]);
  });

  it('are the whole mail when it is nothing but a named file', async () => {
    const { text, attachments } = await parse('Content-Type: text/csv; name=prices.csv', '', 'green;1');
    expect([text, attachments.map(({ name }) => name)]).toEqual(['', ['prices.csv']]);
  });

  it.each([
    ['text/plain; name=notes.txt', 'inline; filename=notes.txt'],
    ['text/html; name=notes.html', 'inline; filename=notes.html'],
    ['text/calendar', 'inline'],
    ['text/enriched', 'inline'],
  ])('do not include what is shown as text: a mail that is %s', async (type, disposition) => {
    const headers = [`Content-Type: ${type}`, `Content-Disposition: ${disposition}`];
    const { text, attachments } = await parse(...headers, '', 'Hello');
    expect([text, attachments]).toEqual(['Hello', []]);
  });
});

describe('broken structure loses no text', () => {
  it('when the last delimiter is missing', async () => {
    const { text } = await parse(...multipart('mixed', 'b', ['', 'one'], ['', 'two']).slice(0, -1));
    expect(text).toBe('one\n\ntwo');
  });

  it('when an inner multipart is never closed', async () => {
    const inner = multipart('alternative', 'in', ['', 'plain'], [HTML, '', 'rich']).slice(0, -1);
    const { text } = await parse(...multipart('mixed', 'out', inner, ['', 'two']));
    expect(text).toBe('plain\n\ntwo');
  });

  it('when a multipart is closed too early', async () => {
    const { text } = await parse(...multipart('mixed', 'b', ['', 'one']), '--b', '', 'two', '--b--');
    expect(text).toBe('one\n\ntwo');
  });

  it('when white space follows the delimiters', async () => {
    const lines = multipart('mixed', 'b', ['', 'one'], ['', 'two']);
    const { text } = await parse(...lines.map((line) => (line.startsWith('--') ? `${line} \t` : line)));
    expect(text).toBe('one\n\ntwo');
  });

  it.each(['', '; boundary=wrong'])('when the boundary is missing or wrong (%j)', async (parameter) => {
    const [, ...lines] = multipart(
      'alternative',
      'b',
      ['Content-Type: text/plain', '', 'plain'],
      [HTML, '', 'rich'],
    );
    const { text } = await parse(`Content-Type: multipart/alternative${parameter}`, ...lines);
    expect(text).toBe('plain');
  });

  it('when a multipart has no parts', async () => {
    const { text } = await parse('Content-Type: multipart/mixed; boundary=b', '', 'Just text');
    expect(text).toBe('Just text');
  });

  it('when the empty line before the body, or before that of a part, is missing', async () => {
    expect((await parse('Hello there', 'Ann', '', 'P.S.')).text).toBe('Hello there\nAnn\n\nP.S.');
    expect((await parse(...multipart('mixed', 'b', ['one'], ['two']))).text).toBe('one\n\ntwo');
  });

  it.each(['text', '', 'text/plain (plain)', 'text/plain charset=utf-8'])(
    'when the content type is malformed (%j)',
    async (type) => expect((await parse(`Content-Type: ${type}`, '', 'Hello')).text).toBe('Hello'),
  );
});

describe('transfer encodings', () => {
  it.each([
    ['quoted-printable', 'Gr=C3=BC=\r\n=C3=9Fe'],
    ['base64', Buffer.from('Grüße').toString('base64')],
    ['8bit', utf8('Grüße')],
    ['7-bits', utf8('Grüße')],
    ['spam', utf8('Grüße')],
    ['', utf8('Grüße')],
  ])('reads text that is %s', async (encoding, body) => {
    const { text } = await parse(TEXT('utf-8'), `Content-Transfer-Encoding: ${encoding}`, '', body);
    expect(text).toBe('Grüße');
  });

  it('reads uuencoded text', async () => {
    const { text } = await parse(
      'Content-Transfer-Encoding: x-uuencode',
      '',
      'begin 644 a',
      '#0V%T',
      '`',
      'end',
    );
    expect(text).toBe('Cat');
  });
});

describe('charsets', () => {
  it.each([
    ['iso-8859-1', 'Gr\xfc\xdfe', 'Grüße'],
    ['windows-1252', '\x93Gr\xfc\xdfe\x94 \x80', '“Grüße” €'],
    ['iso-8859-1', '\x93typical\x94', '“typical”'],
    ['utf-8', utf8('Grüße €'), 'Grüße €'],
    ['"Shift_JIS"', '\x83\x65\x83\x58\x83\x67', 'テスト'],
    ['iso-2022-jp', '\x1b$B%F%9%H\x1b(B', 'テスト'],
    ['euc-kr', '\xc7\xd1\xb1\xb9', '한국'],
    ['koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4', 'Привет'],
    ['cp850', 'Gr\x81\xe1e', 'Grüße'],
  ])('reads text in %s', async (charset, body, expected) => {
    expect((await parse(TEXT(charset), '', body)).text).toBe(expected);
  });

  it.each([
    ['=?cp850?B?R3KB4WU=?=', 'Grüße'],
    ['=?x-unknown?Q?Gr=FC=DFe?=', 'Grüße'],
    ['=?iso-8859-1*de?Q?Gr=FC=DFe?=', 'Grüße'],
  ])('reads the encoded word %s', async (word, expected) => {
    expect((await parseBare(`Subject: ${word}`, '', 'x')).subject).toBe(expected);
  });

  it.each(['us-ascii', 'x-unknown', 'iso-8859-1', 'windows-1251'])(
    'reads UTF-8 that claims to be %s',
    async (charset) => {
      expect((await parse(TEXT(charset), '', utf8('Grüße'))).text).toBe('Grüße');
    },
  );

  it.each(['us-ascii', 'x-unknown', 'utf-8'])('reads windows-1252 that claims to be %s', async (charset) => {
    expect((await parse(TEXT(charset), '', 'Gr\xfc\xdfe \x80')).text).toBe('Grüße €');
  });

  it('guesses when no charset is named', async () => {
    expect((await parse('', utf8('Grüße'))).text).toBe('Grüße');
    expect((await parse('', 'Gr\xfc\xdfe')).text).toBe('Grüße');
  });

  it('keeps UTF-8 that was cut in the middle of a character', async () => {
    expect((await parse(TEXT('utf-8'), '', utf8('Grüße aus Köln').slice(0, -3))).text).toBe(
      'Grüße aus K\ufffd',
    );
  });

  it('undoes a gateway that took Big5 for Latin-1 and made UTF-8 of it', async () => {
    const { text } = await parse(TEXT('big5'), '', utf8('\xa4\xa4\xa4\xe5 \xb3\x6e\xc5\xe9'));
    expect(text).toBe('中文 軟體');
  });

  it('believes the HTML when the header names no charset', async () => {
    const { text } = await parse(HTML, '', '<meta charset="koi8-r"><p>\xf0\xd2\xc9\xd7\xc5\xd4</p>');
    expect(text).toBe('Привет');
  });
});

describe('what the database can hold', () => {
  it('has no U+0000', async () => {
    const mail = await parseBare('From: A\0nn <a\0nn@example.org>', 'Subject: He\0llo', '', 'a\0b');
    expect(JSON.stringify(mail)).not.toContain('\\u0000');
    expect(mail).toMatchObject({ subject: 'Hello', text: 'ab' });
  });

  it('has no unpaired surrogates', async () => {
    const { text } = await parse(TEXT('utf-16le'), 'Content-Transfer-Encoding: base64', '', 'YQAA2GIA');
    expect(text).toBe('a\ufffdb');
  });
});

describe('subject', () => {
  it.each([
    ['=?iso-8859-1?Q?Gr=FC=DFe?=', 'Grüße'],
    ['Re: =?utf-8?B?R3LDvMOfZQ==?= to all', 'Re: Grüße to all'],
    ['=?utf-8?Q?Gr=C3?=\r\n =?utf-8?Q?=BC=C3=9Fe?=', 'Grüße'],
    ['=?windows-1252?Q?=93x=94?=', '“x”'],
    ['=?iso-2022-jp?B?GyRCJUYbKEI=?=\r\n =?iso-2022-jp?B?GyRCJTkbKEI=?=', 'テス'],
    ['=?x-unknown?Q?Gr=FC=DFe?=', 'Grüße'],
    ['=?us-ascii?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
    [utf8('Grüße'), 'Grüße'],
    ['Gr\xfc\xdfe', 'Grüße'],
    ['folded\r\n \r\n\tonce', 'folded once'],
    ['folded\r\nwithout indent\r\nDate: x', 'folded without indent'],
    ['', null],
  ])('%j is %j', async (header, expected) => {
    expect((await parseBare(`Subject: ${header}`, '', 'text')).subject).toBe(expected);
  });

  it('is read in the charset of the body when it names none', async () => {
    expect((await parseBare('Subject: \xf0\xd2\xc9\xd7\xc5\xd4', TEXT('koi8-r'), '', 'x')).subject).toBe(
      'Привет',
    );
  });
});

describe('sender', () => {
  it.each([
    [['From: Ann Lee <Ann@Example.org>'], { name: 'Ann Lee', address: 'Ann@Example.org' }],
    [['From  : Ann <ann@example.org>'], { name: 'Ann', address: 'ann@example.org' }],
    [['From: ann@example.org'], { name: null, address: 'ann@example.org' }],
    [['From: =?utf-8?Q?J=C3=B8rn?= <j@example.org>'], { name: 'Jørn', address: 'j@example.org' }],
    [['From: ann@example.org (Ann Lee)'], { name: 'Ann Lee', address: 'ann@example.org' }],
    [
      ['From: Ann(a \\) nice one) <ann(hers)@example.org(theirs)>'],
      { name: 'Ann', address: 'ann@example.org' },
    ],
    [['From: "ann lee"@example.org'], { name: null, address: '"ann lee"@example.org' }],
    [
      ['From: Ann < "ann \\" lee" (hers) @example.org>'],
      { name: 'Ann', address: '"ann \\" lee"@example.org' },
    ],
    [['From: "ann\x07 lee"@example.org'], { name: null, address: '"ann lee"@example.org' }],
    [['From: "ann\tlee"@example.org'], null],
    [['From: "ann <lee"@example.org'], null],
    [['From: <@a.example,@b.example:ann@example.org>'], { name: null, address: 'ann@example.org' }],
    [
      ['From: Ann <@a.example, @b.example (b) : ann@example.org>'],
      { name: 'Ann', address: 'ann@example.org' },
    ],
    [['From: <@a.example:@b.example:ann@example.org>'], null],
    [['From: nobody', 'Sender: ann@example.org'], { name: null, address: 'ann@example.org' }],
    [['From: ', 'Return-Path: <ann@example.org>'], { name: null, address: 'ann@example.org' }],
    [['Return-Path: <>'], null],
    [['Subject: none'], null],
  ])('%j', async (headers, expected) => {
    expect((await parseBare(...headers, '', 'text')).from).toEqual(expected);
  });

  it.each([
    ['Ann <Buyer GmbH> <ann@b.example>', 'Ann Buyer GmbH'],
    ['Ann <Buyer GmbH> ann@b.example', 'Ann Buyer GmbH'],
    ['"Low, Ann <ann@b.example>', 'Low, Ann'],
    ['Ann" <ann@b.example>', 'Ann'],
    ['Ann \\"Low <ann@b.example>', 'Ann Low'],
    ['"Ann <ann@b.example>"', 'Ann'],
    ['Ann <"ann@b.example">', 'Ann'],
    ['Ann (sales <ann@b.example>', 'Ann sales'],
    ['(Ann <ann@b.example>', 'Ann'],
    ['Ann) <ann@b.example>', 'Ann'],
    ['ann@b.example (Ann', 'Ann'],
    ['Ann (ann@b.example)', 'Ann'],
    ['Ann <mailto:ann@b.example>', 'Ann'],
    ['Ann [mailto:ann@b.example]', 'Ann'],
    ['mailto:ann@b.example', null],
    ['Ann <SMTP:ann@b.example>', 'Ann'],
    ['Ann <ann@b.example', 'Ann'],
    ['Ann ann@b.example>', 'Ann'],
    ['ann@b.example>', null],
    ['Ann <<ann@b.example>>', 'Ann'],
    ['Ann <ann@b.example;>', 'Ann'],
    ['Ann <ann@b.example Ann>', 'Ann'],
    ['ann@b.example; bob@b.example', null],
    ['ann@b.example bob@b.example', null],
    ['Ann <ann@b.example> Bob <bob@b.example>', 'Ann'],
    ['Ann <ann@b.example> / sales', 'Ann / sales'],
    ['Ann / ann@b.example', 'Ann'],
    ["'ann@b.example'", null],
    ["'ann@b.example' <ann@b.example>", null],
    ["Ann O'Hara <ann@b.example>", "Ann O'Hara"],
    ['Ann {ann@b.example}', 'Ann'],
    ['Ann &lt;ann@b.example&gt;', 'Ann'],
    ['Ann ＜ann@b.example＞', 'Ann'],
    ['Ann\u00a0Low\u00a0<\u00a0ann@b.example\u00a0>', 'Ann Low'],
    ['\ufeffAnn <ann@b.example\u200b>', 'Ann'],
    ['=?utf-8?q?Ann_=3Cann=40b=2Eexample=3E?=', 'Ann'],
    ['Ann =?utf-8?q?=3Cann=40b.example=3E?=', 'Ann'],
    ['"=?utf-8?q?Ann_L=C3=B6w?=" <ann@b.example>', 'Ann Löw'],
    ['"<eve@evil.example>" <ann@b.example>', '<eve@evil.example>'],
    ['"eve@evil.example" <ann@b.example>', 'eve@evil.example'],
    ['"Ann (sales" <ann@b.example>', 'Ann (sales'],
    ['"[mailto:eve@evil.example] <" <ann@b.example>', '[mailto:eve@evil.example]'],
    ['Ann <http://b.example/?a@b> <ann@b.example>', 'Ann'],
  ])('is ann@b.example, as a person reads it, in From: %s', async (from, name) => {
    const mail = await parseBare(`From: ${utf8(from)}`, '', 'text');
    expect(mail.from).toEqual({ name, address: 'ann@b.example' });
  });

  it.each([
    'Ann <ann low@b.example>',
    'Ann <Buyer GmbH>',
    'Ann',
    'ann at b.example',
    '<>',
    'Ann <http://b.example/?a@b>',
  ])('is nobody where no address can be read: %s', async (from) =>
    expect((await parseBare(`From: ${from}`, '', 'text')).from).toBeNull(),
  );

  it.each([
    ['a byte order mark', '\xef\xbb\xbf'],
    ['empty lines', '\r\n \r\n\r\n'],
    ['a byte order mark and empty lines', '\xef\xbb\xbf\r\n'],
    ['an envelope line after empty ones', '\r\nFrom x@y.example Mon Jan  1 00:00:00 2024\r\n'],
    ['an escaped envelope line', '>From x@y.example Mon Jan  1 00:00:00 2024\r\n'],
  ])('is read behind %s at the start of the mail', async (_, start) => {
    const mail = await parseMail(
      Buffer.from(`${start}From: ann@b.example\r\nSubject: Blue\r\n\r\ntext`, 'latin1'),
      NOW,
    );
    expect(mail).toMatchObject({ from: { address: 'ann@b.example' }, subject: 'Blue', text: 'text' });
  });

  it.each(['"', '<', '>', '(', '[a@', '<a@b', '<<', "'a@b' ", '\\"', '<a@b> '])(
    'is looked for in 200,000 characters of %j without delay',
    async (piece) => {
      const from = piece.repeat(200_000 / piece.length);
      await parseBare(`From: ${from}`, '', 'text');
      expect((await parseBare(`From: ${from.slice(0, 4_000)}`, '', 'text')).text).toBe('text');
    },
  );

  it('survives the envelope line of an mbox', async () => {
    const { from } = await parseBare(
      'From x@example.net Mon Jan  1 00:00:00 2024',
      'From: ann@example.org',
      '',
      '',
    );
    expect(from?.address).toBe('ann@example.org');
  });
});

it('lists recipients as they stand, once in whatever case, without groups or debris', async () => {
  const mail = await parse(
    'To: Team: Bob <Bob@Example.org>, carl@example.org;, BOB@example.org',
    'Cc: undisclosed-recipients:;',
    'Cc: , Dora <dora@example.org>,',
    ' \t',
    '\teve@example.org',
    'Bcc: Array, "x@y" <local>',
    'Reply-To: Jo, "Jo" <Jo@Example.org>, ann@example.org',
    '',
    'text',
  );
  expect(mail).toMatchObject({
    to: ['Bob@Example.org', 'carl@example.org'],
    cc: ['dora@example.org', 'eve@example.org'],
    bcc: [],
    replyTo: [
      { name: 'Jo, Jo', address: 'Jo@Example.org' },
      { name: null, address: 'ann@example.org' },
    ],
  });
});

it('reads message ids without brackets, comments or white space', async () => {
  const mail = await parse(
    'Message-ID: <1 @ mail(host) .example.org>',
    'In-Reply-To: Your mail of Monday <2@example.org>',
    'References: <3@example.org><4@example.org>',
    'References: <5@example.org>, <6',
    '@example.org>',
    '',
    'text',
  );
  expect(mail).toMatchObject({
    messageId: '1@mail.example.org',
    inReplyTo: ['2@example.org'],
    text: 'text',
  });
  expect(mail.references.slice(0, 3)).toEqual(['3@example.org', '4@example.org', '5@example.org']);
});

it.each([
  ['aa@x from "x" of Mon', ['aa@x']],
  ['(to yours of Monday) aa@x, bb@x from ann@x', ['aa@x', 'bb@x']],
  ['aa\r\n @ x', ['aa@x']],
  ['<aa@x', ['aa@x']],
  ['Ann <aa@x> of Monday', ['aa@x']],
  ['aa', ['aa']],
  ['Your mail of Monday to ann@x', []],
])('reads In-Reply-To %j as %j', async (value, ids) => {
  expect((await parse(`In-Reply-To: ${value}`, '', 'text')).inReplyTo).toEqual(ids);
});

it.each([
  ['folded after the @', '<long-id@\r\n buyer.example>'],
  ['folded before the @', '<long-id\r\n\t@buyer.example>'],
  ['folded in its domain', '<long-id@buyer\r\n .example>'],
  ['folded in its local part', '<long-\r\n id@buyer.example>'],
  ['in an encoded word', '=?utf-8?q?=3Clong-id=40buyer=2Eexample=3E?='],
  ['escaped as in a link', '%3Clong-id%40buyer.example%3E'],
  ['escaped as in a link within brackets', '<long-id%40buyer.example>'],
  ['escaped as in HTML', '&lt;long-id@buyer.example&gt;'],
])('reads an id %s in In-Reply-To and References, alone and after another', async (_, id) => {
  for (const before of ['', '<x@y.example> ']) {
    if (before !== '' && id.includes('%')) continue;
    const mail = await parse(`In-Reply-To: ${id}`, `References: ${before}${id}`, '', 'text');
    expect([mail.inReplyTo, mail.references]).toEqual([
      ['long-id@buyer.example'],
      [...(before === '' ? [] : ['x@y.example']), 'long-id@buyer.example'],
    ]);
  }
});

it('reads its own Message-ID as it is, but for folds', async () => {
  const ids = ['<long-\r\n id@buyer.example>', '<a%40b>'].map((id) => parse(`Message-ID: ${id}`, '', 'text'));
  expect((await Promise.all(ids)).map(({ messageId }) => messageId)).toEqual([
    'long-id@buyer.example',
    'a%40b',
  ]);
});

describe('a receipt', () => {
  const receipt = (id: string, ...headers: string[]) =>
    parse(
      ...headers,
      ...multipart(
        'report; report-type=disposition-notification',
        'b',
        ['', 'It was read.'],
        [
          'Content-Type: message/disposition-notification',
          '',
          'Reporting-UA: mail.buyer.example',
          'Final-Recipient: rfc822; ann@buyer.example',
          `Original-Message-ID: ${id}`,
          'Disposition: manual-action/MDN-sent-manually; displayed',
        ],
      ),
    );

  it.each(['<1@acme.example>', '<1@\r\n acme.example>', '1@acme.example'])(
    'answers the mail that its Original-Message-ID %j names',
    async (id) =>
      expect(await receipt(id)).toMatchObject({
        inReplyTo: ['1@acme.example'],
        isAutoReply: true,
        bounce: null,
        complaint: null,
        text: 'It was read.',
      }),
  );

  it('answers the mail that its In-Reply-To names, if it has one', async () => {
    const { inReplyTo } = await receipt('<1@acme.example>', 'In-Reply-To: <2@acme.example>');
    expect(inReplyTo).toEqual(['2@acme.example']);
  });
});

it('reads other message ids without brackets, and references of which one is broken', async () => {
  const mail = await parse(
    'Message-ID: aa@x',
    'References: bb@x cc@x',
    'References: <d. ',
    'd@x>',
    '',
    'text',
  );
  expect(mail).toMatchObject({ messageId: 'aa@x', references: ['bb@x', 'cc@x', 'd.d@x'] });
});

describe('sentAt', () => {
  it.each([
    ['Fri, 21 Nov 1997 09:55:06 -0600', '1997-11-21T15:55:06.000Z'],
    ['21 Nov 97 09:55:06 GMT', '1997-11-21T09:55:06.000Z'],
    ['Fri, 21 Nov 1997 09(comment):   55  :  06\r\n -0600 (CST)', '1997-11-21T15:55:06.000Z'],
    ['Mon May  2 16:07:05 2005', '2005-05-02T16:07:05.000Z'],
    ['Sun, 1 Mar 2026 11:59:58 +0000', '2026-03-01T11:59:58.000Z'],
    ['Sun, 1 Mar 2026 11:59:59 +0000', null],
    ['Sun, 1 Mar 2026 12:00:00 +0000', null],
    ['Sun, 1 Mar 2026 12:05:00 +0000', null],
    ['Fri, 5 Jan 2001 10:00:00 JST', '2001-01-05T10:00:00.000Z'],
    ['Fri, 5 Jan 2001 10:00 cest', '2001-01-05T10:00:00.000Z'],
    ['Fri, 5 Jan 2001 10:00:00 A', '2001-01-05T10:00:00.000Z'],
    ['Fri, 5 Jan 2001 10:00:00 MET DST', '2001-01-05T10:00:00.000Z'],
    ['Jan 5, 2001 10:00 PM JST', '2001-01-05T22:00:00.000Z'],
    ['Jan 5, 2001 10:00 PM', '2001-01-05T22:00:00.000Z'],
    ['Jan 5, 2001 10:00 AMT', '2001-01-05T10:00:00.000Z'],
    ['Fri, 5 Jan 2001 10:00:00 +0200 CEST', '2001-01-05T08:00:00.000Z'],
    ['10:00 2001 5 Jan', '2001-01-05T10:00:00.000Z'],
    ['Fri, 5 Jan 2001 10:00:00 0000', '2001-01-05T10:00:00.000Z'],
    ['Fri, 5 Jan 2001 10:00:00 EST', '2001-01-05T15:00:00.000Z'],
    ['Thu, 6 Jan 00 10:00:00 +0000', '2000-01-06T10:00:00.000Z'],
    ['Tue, 06 Jan 0000 10:00:00 +0000', null],
    ['Tue, 06 Jan 0099 10:00:00 GMT', null],
    ['Thu, 13 Feb 1969 23:32:00 -0330', '1969-02-14T03:02:00.000Z'],
    ['Sat, 31 Dec 2016 23:59:60 +0000', '2016-12-31T23:59:59.000Z'],
    ['Sun, 31 Dec 1899 23:59:59 +0000', null],
    ['Mon, 30 Jun 3609 15:33:50 +0600', null],
    ['Wed, 15 Dec 2010    59:10 -0500', null],
    ['Tue, 12 Oct 2010 16:21:05 H0500', null],
    ['Sat, 31 Feb 2026 10:00:00 +0000', null],
    ['31 Apr 2025 10:00:00', null],
    ['Apr 31, 2025 10:00', null],
    ['Sun, 29 Feb 2025 10:00:00 GMT', null],
    ['mar., 25 nov. 2025 10:00:00 +0100', '2025-11-25T09:00:00.000Z'],
    ['29-Feb-2024 10:00', '2024-02-29T10:00:00.000Z'],
    ['Sat Feb 31 10:00:00 2026', null],
    ['Thu, 29 Feb 2024 23:30:00 -0500', '2024-03-01T04:30:00.000Z'],
    ['Wed, 31 Dec 25 23:30:00 GMT', '2025-12-31T23:30:00.000Z'],
    ['Mon Nov 24 10:00:00 JST 2025', '2025-11-24T10:00:00.000Z'],
    ['Mon Nov 24 10:00:00 +0100 2025', '2025-11-24T09:00:00.000Z'],
    ['Mon Nov  3 10:00:00 EST 2025', '2025-11-03T15:00:00.000Z'],
    ['Mon Nov 24 10:00:00 MET DST 2025', '2025-11-24T10:00:00.000Z'],
    ['Mon Nov 24 10:00:00 PM EST 2025', '2025-11-25T03:00:00.000Z'],
    ['Mon Nov 24 10:00:00 PM CET 2025', '2025-11-24T22:00:00.000Z'],
    ['1', null],
    ['', null],
  ])('of %j is %j', async (date, expected) => {
    expect((await parse(`Date: ${date}`, '', 'text')).sentAt).toBe(expected);
  });

  it('is null without a date', async () => expect((await parse('', 'text')).sentAt).toBeNull());

  it.each([
    ['Sun, 1 Mar 2026 12:05:00 +0000', true],
    ['Thu, 01 Jan 1970 00:00:00 +0000', true],
    ['Sun, 31 Dec 1899 23:59:59 +0000', false],
    ['Sat, 31 Feb 2026 10:00:00 +0000', false],
    ['yesterday', false],
    ['', false],
  ])('of %j: it names an instant, past or future: %s', async (date, isDated) =>
    expect((await parse(`Date: ${date}`, '', 'text')).isDated).toBe(isDated),
  );
});

describe('the original sender', () => {
  it.each([
    [['X-Original-From: Ann Lee <ann@x.example>'], { name: 'Ann Lee', address: 'ann@x.example' }],
    [['X-Original-Sender: ann@x.example'], { name: null, address: 'ann@x.example' }],
    [
      ['X-Original-Sender: list@x.example', 'X-Original-From: =?utf-8?q?Zo=C3=AB?= <zoe@x.example>'],
      { name: null, address: 'zoe@x.example' },
    ],
    [['X-Original-From: nobody at home'], null],
    [[], null],
  ])('by %j is %j', async (headers, originalFrom) =>
    expect((await parse(...headers, 'Subject: x', '', 'text')).originalFrom).toEqual(originalFrom),
  );
});

describe('a link with a control character, or to something that runs', () => {
  it.each([
    '&#1;javascript:alert(1)',
    'java&#x1;script:alert(1)',
    '\x01https://evil.example',
    'ht&#31;tps://evil.example',
    'https://evil.example/&#127;',
    'javascript:alert(1)',
    'data:text/html,evil',
  ])('is gone, and its text stays: %j', async (href) => {
    const shown = `<p>Please <a href="${href}">look <b>here</b></a> soon</p>`;
    const { html, text } = await parse('Content-Type: text/html', '', shown);
    expect(html).toBe('<p>Please <a>look <b>here</b></a> soon</p>');
    expect(text).toBe('Please look here soon');
  });

  it('is not one that is broken up by a line end', async () => {
    const { html, text } = await parse(
      'Content-Type: text/html',
      '',
      '<a href="https://us.example/\r\na">here</a>',
    );
    expect(html).toContain('href');
    expect(text).toContain('us.example');
  });
});

describe('a dot after the domain of an address', () => {
  it('is no part of it, in any header', async () => {
    const mail = await parseBare(
      'From: Ann <ann@example.org.>, bob@example.org., Bob <bob@example.org>',
      'Sender: sender@example.org.',
      'Reply-To: <ann@home.example.>',
      'To: Us <us@acme.example.>, Group: <carl@acme.example.>;',
      'Cc: dan@acme.example..',
      'Bcc: eve@acme.example.',
      'X-Original-From: Ann <ann@work.example.>',
      'Delivered-To: Us@acme.example.',
      'X-Original-To: <sales@acme.example.>',
      '',
      'text',
    );
    const ann = { name: 'Ann', address: 'ann@example.org' };
    expect(mail).toMatchObject({
      from: ann,
      authors: [ann, { name: null, address: 'bob@example.org' }],
      replyTo: [{ address: 'ann@home.example' }],
      to: ['us@acme.example', 'carl@acme.example'],
      cc: ['dan@acme.example'],
      bcc: ['eve@acme.example'],
      originalFrom: { address: 'ann@work.example' },
      deliveredTo: ['us@acme.example', 'sales@acme.example'],
    });
    expect(JSON.stringify(mail)).not.toMatch(/example\.[">,]/);
  });

  it.each(['Sender', 'Return-Path', 'Reply-To'])('nor in %s, where a mail has no From', async (name) =>
    expect((await parseBare(`${name}: <ann@example.org.>`, '', 'text')).from?.address).toBe(
      'ann@example.org',
    ),
  );
});

describe('automatic replies', () => {
  it.each([
    'Auto-Submitted: auto-replied (vacation)',
    'Auto-Submitted: auto-generated',
    'X-Autoreply: yes',
    'X-Autorespond: Out of office',
    'Auto-Submitted: auto-notified; owner-email="no@example.org"',
    'Precedence: auto_reply',
    'X-Precedence: auto_reply',
    'X-Autoresponder: yes',
    'X-Auto-Reply: yes',
    'X-AUTO-REPLY: (from a rule) True',
    'X-AutoReply-From: no-reply@buyer.example',
    'Delivered-To: Autoresponder',
    'X-POST-MessageClass: 9; Autoresponder',
    'X-FC-MachineGenerated: true',
    'Content-Type: multipart/report; report-type=disposition-notification; boundary=b',
  ])('%s', async (header) => expect((await parse(header, '', 'Away')).isAutoReply).toBe(true));

  it.each([
    'Auto-Submitted: no',
    'Auto-Submitted: (by hand) No (really)',
    'Auto-Submitted: no; by=hand',
    'X-Autoreply: no',
    'X-Auto-Reply: False',
    'X-Autorespond: no (really)',
    'X-FC-MachineGenerated: false',
    'X-POST-MessageClass: 0',
    'Delivered-To: autoresponder@acme.example',
    'Precedence: bulk',
    'Precedence: list',
    'X-Precedence: first-class',
    'X-Auto-Response-Suppress: All',
    'Return-Path: <>',
    'List-Id: <news.example.org>',
  ])('not %s', async (header) => expect((await parse(header, '', 'News')).isAutoReply).toBe(false));
});

describe('complaints', () => {
  const report = (fields: string[], ...rest: string[][]) =>
    multipart(
      'report; report-type=feedback-report',
      'b',
      ['', 'This is an abuse report.'],
      ['Content-Type: message/feedback-report', '', ...fields],
      ...rest,
    );
  const returned = ['Content-Type: message/rfc822', '', 'Message-ID: <1@example.org>', '', 'Hello'];

  it('tell who complains and of which message', async () => {
    const fields = ['Feedback-Type: abuse', 'Version: 1', 'Original-Rcpt-To: <Bob@Example.org>'];
    const mail = await parse(...report(fields, returned));
    expect(mail).toMatchObject({ bounce: null, isAutoReply: true });
    expect(mail.complaint).toEqual({ originalMessageId: '1@example.org', recipients: ['bob@example.org'] });
  });

  it('may leave out who complains', async () => {
    const { complaint } = await parse(...report(['Feedback-Type: abuse'], returned));
    expect(complaint).toEqual({ originalMessageId: '1@example.org', recipients: [] });
  });

  it.each(['not-spam', 'auth-failure', 'virus'])('are none when they report %s', async (type) => {
    const { complaint } = await parse(...report([`Feedback-Type: ${type}`], returned));
    expect(complaint).toBeNull();
  });
});

describe('bounces', () => {
  const status = [
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.net',
    '',
    'Original-Recipient: rfc822;Bob@Example.org',
    'Final-Recipient: rfc822; bob@elsewhere.example',
    'Action: failed',
    'Status: 5.1.1 (no such user)',
    'Diagnostic-Code: smtp; 550 5.1.1 No',
    '  such user',
    '',
    'Final-Recipient: RFC822; <carl@example.org>',
    'Action: Delayed',
    'Status: 4.4.7',
  ];
  const report = (...parts: string[][]) =>
    multipart('report; report-type=delivery-status', 'b', ['', 'It bounced.'], ...parts);

  it('tell the recipients and the message they answer', async () => {
    const returned = ['Content-Type: message/rfc822', '', 'Message-ID: <1@example.org>', '', 'Hello'];
    const mail = await parse(...report(status, returned));
    expect(mail).toMatchObject({ text: 'It bounced.', isAutoReply: true });
    expect(mail.bounce).toEqual({
      originalMessageId: '1@example.org',
      recipients: [
        {
          address: 'bob@example.org',
          final_address: 'bob@elsewhere.example',
          action: 'failed',
          status: '5.1.1',
          diagnostic: '550 5.1.1 No such user',
        },
        { address: 'carl@example.org', action: 'delayed', status: '4.4.7', diagnostic: null },
      ],
    });
  });

  it.each([
    ['rfc822; Bob@Example.org', 'bob@example.org'],
    ['RFC822;<bob@example.org>', 'bob@example.org'],
    ['rfc822; Bob Lee <bob@example.org>', 'bob@example.org'],
    ['rfc822; bob@example.org (Bob Lee)', 'bob@example.org'],
    ['bob@example.org', 'bob@example.org'],
    ['<bob@example.org>', 'bob@example.org'],
    [utf8('utf-8; Jörn@büyer.example'), 'jörn@büyer.example'],
    ['utf-8; j\\x{F6}rn@b\\x{00fc}yer.example', 'jörn@büyer.example'],
    ['utf-8; j\\x{110000}rn@buyer.example', 'j\\x{110000}rn@buyer.example'],
  ])('name the recipient %j as %s', async (field, address) => {
    const group = [`Final-Recipient: ${field}`, 'Action: failed', 'Status: 5.1.1'];
    const mail = await parse(...report(['Content-Type: message/delivery-status', '', ...group]));
    expect(mail.bounce?.recipients).toMatchObject([{ address }]);
  });

  it('may return the headers only', async () => {
    const returned = ['Content-Type: text/rfc822-headers', '', 'Message-ID: <1@example.org>'];
    expect((await parse(...report(status, returned))).bounce?.originalMessageId).toBe('1@example.org');
  });

  it('may name the message in In-Reply-To only', async () => {
    const mail = await parse('In-Reply-To: <1@example.org>', ...report(status));
    expect(mail.bounce?.originalMessageId).toBe('1@example.org');
  });

  it('may explain themselves in the wrong part', async () => {
    const prose = ['Content-Type: message/delivery-status', '', 'The mailbox is full.'];
    const mail = await parse(...multipart('report; report-type=delivery-status', 'b', prose, status));
    expect(mail.text).toBe('The mailbox is full.');
    expect(mail.bounce?.recipients).toHaveLength(2);
  });

  it('are read in what a gateway has wrapped around them', async () => {
    const returned = ['Content-Type: message/rfc822', '', 'Message-ID: <1@example.org>', '', 'Hello'];
    const footer = ['', 'Scanned by the gateway.'];
    const wrapped = multipart('mixed', 'w', report(status, returned), footer);
    for (const mail of [await parse(...wrapped), await parse(...multipart('mixed', 'v', wrapped, footer))]) {
      expect(mail.isAutoReply).toBe(true);
      expect(mail.bounce).toEqual((await parse(...report(status, returned))).bounce);
    }
  });

  it('that a person forwards stay a message', async () => {
    const forwarded = ['Content-Type: message/rfc822', '', 'Subject: Returned', ...report(status)];
    const mail = await parse(...multipart('mixed', 'f', ['', 'What is this?'], forwarded));
    expect([mail.bounce, mail.isAutoReply, mail.attachments.length]).toEqual([null, false, 1]);
  });

  it('are told from mails that bring one along', async () => {
    const mail = await parse(...multipart('mixed', 'b', ['', 'What is this?'], status));
    expect(mail.bounce).toBeNull();
    expect(mail.text).toMatch(/^What is this\?\n\nReporting-MTA/);
  });
});

describe('hostile mails', () => {
  it.each([
    ['blanks', ' '],
    ['figures', '1'],
    ['dates', '31 Feb '],
    ['clocks', '1:00:00 JST '],
    ['words', 'Nov x '],
  ])('with a Date of 900,000 characters of %s have none', async (_, piece) => {
    const date = `Mon, 31 Feb 2026 10:00:00 ${piece.repeat(900_000 / piece.length)}2026`;
    expect((await parse(`Date: ${date}`, '', 'text')).sentAt).toBeNull();
  });

  it('with 5,000 nested multiparts are refused', async () => {
    const nested = Array.from({ length: 5_000 }, (_, level) => [
      `Content-Type: multipart/mixed; boundary=b${level}`,
      '',
      `--b${level}`,
    ]);
    await expect(parse(...nested.flat())).rejects.toThrow('child nodes');
  });

  it('with multiparts without boundaries deep within each other are read, the deepest as text', async () => {
    const nested = Array.from({ length: 7 }, (_, level) => `Content-Type: multipart/mixed\n\n--b${level}`);
    const { text } = await parse(
      ...nested.join('\n').split('\n'),
      'Content-Type: text/plain',
      '',
      'Hello',
      '',
    );
    expect(text).toBe('--b5\nContent-Type: multipart/mixed\n\n--b6\nContent-Type: text/plain\n\nHello');
  });

  it('with 10 MB of headers are refused', async () => {
    await expect(parse('X-Filler: 12345678\r\n'.repeat(500_000))).rejects.toThrow('header size');
  });

  it('with nothing in them are empty', async () => {
    expect(await parseMail(Buffer.alloc(0))).toMatchObject({ from: null, subject: null, text: '' });
  });
});

const HTML = 'Content-Type: text/html';
const TEXT = (charset: string) => `Content-Type: text/plain; charset=${charset}`;

/** Header, empty line and body of a multipart; a part begins with its headers and an empty line. */
function multipart(type: string, boundary: string, ...parts: string[][]): string[] {
  const body = parts.flatMap((part) => [`--${boundary}`, ...part]);
  return [`Content-Type: multipart/${type}; boundary=${boundary}`, '', ...body, `--${boundary}--`];
}
