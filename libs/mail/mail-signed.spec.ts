import { signedContent } from './mail-signed.js';
import { parseMail } from './parse-mail.js';

const TEXT = 'Signed order: ten chairs for Köln.';
const PART = Buffer.from(`Content-Type: text/plain; charset=utf-8\r\n\r\n${TEXT}\r\n`);
const SIGNED = '2a864886f70d010702';
const DATA = '2a864886f70d010701';
const ENVELOPED = '2a864886f70d010703';

/** How long a value is, in DER or, in BER, up to its end mark. */
type Form = 'der' | 'ber';

function value(tag: number, content: Buffer, form: Form = 'der'): Buffer {
  if (form === 'ber' && tag & 0x20) return Buffer.concat([Buffer.of(tag, 0x80), content, Buffer.of(0, 0)]);
  const length = content.length;
  const bytes = length < 0x80 ? [length] : [0x83, length >> 16, (length >> 8) & 0xff, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...bytes), content]);
}
const oid = (hex: string) => value(6, Buffer.from(hex, 'hex'));
const pieces = (content: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(content.length / size) }, (_, nr) =>
    value(4, content.subarray(nr * size, (nr + 1) * size)),
  );

/** A content info without certificates and signers, which nobody needs for reading. */
function wrapped(part: Buffer, form: Form, octets: 'whole' | 'pieces' | 'nested', type = SIGNED): Buffer {
  const sequence = (...parts: Buffer[]) => value(0x30, Buffer.concat(parts), form);
  const tagged = (content: Buffer) => value(0xa0, content, form);
  const inPieces = (all: Buffer[]) => value(0x24, Buffer.concat(all), form);
  const text = {
    whole: () => value(4, part),
    pieces: () => inPieces(pieces(part, 10)),
    nested: () => inPieces([inPieces(pieces(part.subarray(0, 30), 7)), ...pieces(part.subarray(30), 10)]),
  }[octets]();
  const set = value(0x31, Buffer.of(), form);
  const data = sequence(value(2, Buffer.of(1)), set, sequence(oid(DATA), tagged(text)), set);
  return sequence(oid(type), tagged(data));
}

const mailOf = (type: string, bytes: Buffer, ...more: string[]) => [
  `Content-Type: ${type}`,
  'Content-Transfer-Encoding: base64',
  ...more,
  '',
  bytes.toString('base64').replace(/.{64}/g, '$&\r\n'),
];
const read = (lines: string[]) => parseMail(Buffer.from(lines.join('\r\n')));

const FORMS = (['der', 'ber'] as const).flatMap((form) =>
  (['whole', 'pieces', 'nested'] as const).map((octets): [Form, typeof octets] => [form, octets]),
);

describe('text within an S/MIME signature', () => {
  it.each(FORMS)('is read in %s with its octets %s', async (form, octets) => {
    const bytes = wrapped(PART, form, octets);
    expect(signedContent(bytes)).toEqual(PART);
    for (const type of [
      'application/pkcs7-mime; smime-type=signed-data; name=smime.p7m',
      'application/x-pkcs7-mime; name="smime.p7m"',
      'application/pkcs7-mime',
      'application/octet-stream; name=smime.p7m',
    ]) {
      const mail = await read(mailOf(type, bytes, 'Content-Disposition: attachment; filename="smime.p7m"'));
      expect([mail.text, mail.attachments]).toEqual([TEXT, []]);
    }
  });

  it('brings its files along, and may be within another signature or beside other text', async () => {
    const part = [
      'Content-Type: multipart/mixed; boundary=in',
      '',
      '--in',
      PART.toString(),
      '--in',
      ...mailOf('application/pdf; name=offer.pdf', Buffer.from('%PDF')),
      '--in--',
    ].join('\r\n');
    const once = mailOf('application/pkcs7-mime', wrapped(Buffer.from(part), 'ber', 'pieces')).join('\r\n');
    const twice = mailOf('application/pkcs7-mime', wrapped(Buffer.from(once), 'der', 'whole'));
    const footer = ['Content-Type: text/plain', '', 'Footer'];
    const mail = await read([
      'Content-Type: multipart/mixed; boundary=out',
      '',
      ...[mailOf('image/png; name=a.png', Buffer.of(1)), twice, footer].flatMap((one) => ['--out', ...one]),
      '--out--',
    ]);
    expect(mail.text).toBe(`${TEXT}\n\nFooter`);
    expect(mail.attachments.map(({ name }) => name)).toEqual(['a.png', 'offer.pdf']);
  });

  it.each([
    ['encrypted', wrapped(PART, 'der', 'whole', ENVELOPED)],
    ['cut short', wrapped(PART, 'der', 'whole').subarray(0, 60)],
    ['no ASN.1', Buffer.from('%PDF-1.4')],
    ['empty', Buffer.of()],
    ['nested 50,000 times', Buffer.from('3080'.repeat(50_000), 'hex')],
  ])('is left in its file where it cannot be read: %s', async (_, bytes) => {
    const { text, attachments } = await read(mailOf('application/pkcs7-mime; name=smime.p7m', bytes));
    expect(text).toBe('');
    expect(attachments.map((file) => [file.name, Buffer.from(file.bytes)])).toEqual([['smime.p7m', bytes]]);
  });
});
