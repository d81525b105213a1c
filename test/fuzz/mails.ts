import fc from 'fast-check';
import { bounceOf, type MailFields, mailWithFile, rawMail } from '../support/data/mail.js';

const MAIL_KINDS: ((fields: MailFields) => Buffer)[] = [
  rawMail,
  rawMail,
  (fields) => mailWithFile(fields),
  (fields) => bounceOf('<x@acme.example>', 'a@b.example', fields),
];

/** Raw mails, a bounce among them. */
export const mails: fc.Arbitrary<Buffer> = fc
  .record({
    id: fc.option(
      fc.stringMatching(/^[0-9a-f]{3,12}$/).map((word) => `<${word}@navy.example>`),
      { freq: 5 },
    ),
    subject: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
    body: fc.string({ unit: 'grapheme', maxLength: 200 }),
    from: fc.constantFrom(
      'grace@navy.example',
      '"Gräce" <g@navy.example>',
      '=?utf-8?B?R3LDpGNl?= <g@navy.example>',
    ),
    kind: fc.constantFrom(...MAIL_KINDS),
  })
  .map(({ kind, ...fields }) => kind({ ...fields, subject: fields.subject?.replace(/[\r\n]/g, ' ') }));

const MAIL_TRAPS = [
  'Content-Type: multipart/mixed; boundary=""',
  'Content-Type: multipart/mixed; boundary="b"\r\nContent-Type: text/html',
  'Content-Type: text/plain; charset=utf-7',
  'Content-Type: text/plain; charset=nonsense',
  'Content-Type: message/rfc822',
  'Content-Transfer-Encoding: base64',
  'Content-Transfer-Encoding: quoted-printable',
  'Content-Transfer-Encoding: x-uuencode',
  'Date: Mon, 30 Feb 2026 25:61:61 +9999',
  'Date: Fri, 31 Dec 9999 23:59:59 -1400',
  'Date: 1',
  'From: ',
  'From: undisclosed-recipients:;',
  `From: ${'a'.repeat(2_000)}@navy.example`,
  'From: \u0000@navy.example',
  'Message-ID: <>',
  `Message-ID: <${'x'.repeat(3_000)}@navy.example>`,
  `References: ${'<a@b.example> '.repeat(2_000)}`,
  'Subject: =?utf-8?B?AAAA?=',
  'Subject: =?utf-8?Q?=ED=A0=80?=',
  'Subject: =?x?x?x?=',
  `Cc: ${'a@b.example, '.repeat(1_000)}`,
  'Cc: a:b:c:;,,,',
  'Auto-Submitted: auto-replied',
];

/** With a strange header in front, or bytes that do not belong. */
export const changedMails: fc.Arbitrary<Buffer> = fc
  .tuple(
    mails,
    fc.array(fc.constantFrom(...MAIL_TRAPS), { maxLength: 3 }),
    fc.nat(3_000),
    fc.option(fc.nat(255)),
  )
  .map(([mail, headers, at, byte]) => {
    const whole = Buffer.concat([Buffer.from(headers.map((line) => `${line}\r\n`).join('')), mail]);
    if (byte === null) return at % 3 === 0 ? whole.subarray(0, at % whole.length) : whole;
    whole[at % whole.length] = byte;
    return whole;
  });
