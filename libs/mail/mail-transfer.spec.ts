import { fileInBase64, textInBase64 } from './mail-transfer.js';
import { parseMail } from './parse-mail.js';

const TEXTS = [
  'Grüße, bitte um Rückruf wegen Rechnung 12.\n',
  'Hello, please call me.',
  'Short',
  'Ja',
  'Ein längerer Text über viele Zeilen, der mehr als eine Zeile in base64 füllt. '.repeat(5),
  'Ein Text, der genau eine Zeile füllt und deshalb keine Auffüllung.',
  '漢字かな交じり文の見積もりをお願いします。',
];
const FOOTERS = [
  '____________________________\r\nteam mailing list\r\nteam@lists.example',
  '-- \r\nteam\r\nUnsubscribe\r\nhttps://lists.example/team?user=ann',
  'CONFIDENTIAL\r\nThis mail is meant for its recipient.',
  'Diese Nachricht wurde geprüft.',
  'Scanned by the gateway',
];
const NOTICES = ['X-Spam: no', '[EXTERNAL] Be careful', 'CAUTION: this mail came from outside.'];

const encode = (text: string, charset: BufferEncoding = 'utf8', width = 76) =>
  Buffer.from(text, charset)
    .toString('base64')
    .replace(new RegExp(`.{${width}}(?=.)`, 'g'), '$&\r\n');
const readText = (body: string, charset: string | null = 'utf-8') => textInBase64(Buffer.from(body), charset);
const readFile = (body: string) => fileInBase64(Buffer.from(body, 'latin1'));

describe('text in base64', () => {
  it.each(TEXTS)('keeps a footer below it and a notice above it readable: %s', (text) => {
    for (const width of [76, 64, 60])
      for (const footer of FOOTERS)
        for (const gap of ['\r\n', '\r\n\r\n', '\n']) {
          const read = readText(encode(text, 'utf8', width) + gap + footer);
          expect(read.split(/\s+/)).toEqual(`${text} ${footer}`.split(/\s+/));
          for (const notice of NOTICES)
            expect(readText(notice + gap + encode(text, 'utf8', width) + gap + footer).split(/\s+/)).toEqual(
              `${notice} ${text} ${footer}`.split(/\s+/),
            );
        }
  });

  it.each(['iso-8859-1', 'windows-1252', null])('keeps a footer readable beside text in %s', (charset) => {
    const text = 'Grüße und bitte um schnellen Rückruf';
    for (const footer of FOOTERS.filter((one) => /^[\0-\x7f]*$/.test(one)))
      expect(readText(`${encode(text, 'latin1')}\r\n\r\n${footer}`, charset).split(/\s+/)).toEqual(
        `${text} ${footer}`.split(/\s+/),
      );
  });

  it('keeps a footer readable beside UTF-16', () => {
    expect(readText(`${encode('Grüße', 'utf16le')}\r\n${FOOTERS[0]}`, 'utf-16le')).toBe(
      `Grüße\n${FOOTERS[0]!.replaceAll('\r', '')}`,
    );
  });

  it.each(TEXTS)('is read alone, whatever blanks are in it: %s', (text) => {
    const code = encode(text);
    const bodies = [
      code,
      `${code}\r\n`,
      code.replaceAll('\r\n', ' '),
      code.replace(/.{7}/g, '$& '),
      `\r\n ${code}`,
    ];
    for (const body of [...bodies, code.replace(/=+$/, '')]) expect(readText(body)).toBe(text);
  });

  it('is read in several pieces, each with its padding', () => {
    for (const first of TEXTS)
      for (const between of ['\r\n', ''])
        if (between !== '' || encode(first).endsWith('='))
          expect(readText(encode(first) + between + encode(TEXTS[0]!))).toBe(first + TEXTS[0]);
  });

  it('is read in pieces that cut a character', () => {
    const bytes = Buffer.from('Grüße');
    const [first, second] = [bytes.subarray(0, 3), bytes.subarray(3)].map((piece) =>
      piece.toString('base64'),
    );
    expect(readText(`${first}\r\n${second}`)).toBe('Grüße');
  });

  it.each(['Hello, this is plain text.', 'Please call me\r\nAnn', 'Grüße aus Köln'])(
    'that is in plain text after all stays as it is: %s',
    (text) => expect(readText(text)).toBe(text.replaceAll('\r', '')),
  );

  it('is read as before when it is not in the charset it claims', () => {
    expect(readText(encode('Grüße', 'latin1'))).toBe('Grüße');
  });
});

describe('a file in base64', () => {
  const FILES = [1, 2, 3, 30, 56, 57, 58, 171, 1000].map((length) =>
    Buffer.from(Array.from({ length }, (_, nr) => (nr * 151 + 7) % 256)),
  );

  it('gains nothing from a footer or a notice beside it', () => {
    for (const file of FILES) {
      const code = file.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n');
      for (const footer of FOOTERS) {
        expect(readFile(`${code}\r\n\r\n${footer}`)).toEqual(file);
        for (const notice of NOTICES)
          expect(readFile(`${notice}\r\n${code}\r\n____\r\n${footer}`)).toEqual(file);
      }
    }
  });

  it('is read alone, with blanks, without padding, in pieces, and with characters that do not belong there', () => {
    for (const file of FILES) {
      const code = file.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n');
      for (const body of [
        code,
        code.replace(/.{5}/g, '$& '),
        code.replace(/=+$/, ''),
        code.replaceAll('\r\n', ''),
      ])
        expect(readFile(body)).toEqual(file);
      expect(readFile(`${code}\r\n${code}`)).toEqual(Buffer.concat([file, file]));
      if (file.length > 100) expect(readFile(code.replace(/.{20}/, '$&!'))).toEqual(file);
    }
  });
});

describe('a mail', () => {
  const FOOTER = ['', '____', 'team mailing list', 'team@lists.example'];

  it('with a footer in a part of a multipart shows both, and its file gains nothing', async () => {
    const lines = [
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: BASE64',
      '',
      encode(TEXTS[0]!),
      ...FOOTER,
      '--b',
      'Content-Type: application/pdf; name=a.pdf',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('%PDF-1.4').toString('base64'),
      ...FOOTER,
      '--b--',
    ];
    const { text, attachments } = await parseMail(Buffer.from(lines.join('\r\n')));
    expect(text).toBe(`${TEXTS[0]!}____\nteam mailing list\nteam@lists.example`);
    expect(attachments.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['%PDF-1.4']);
  });

  it('in quoted-printable keeps a footer that is not', async () => {
    const head = [
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
    ];
    const body = [
      'Gr=C3=BC=C3=9Fe=',
      '',
      '____',
      'Gr\xc3\xbc\xc3\x9fe, https://lists.example/?u=1&v=x 100=%',
    ];
    const { text } = await parseMail(Buffer.from([...head, ...body].join('\r\n'), 'latin1'));
    expect(text).toBe('Grüße\n____\nGrüße, https://lists.example/?u=1&v=x 100=%');
  });
});
