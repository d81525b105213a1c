import { gzipSync } from 'node:zlib';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { mailWithFile, postMail, rawMail } from '../support/data/mail.js';

let workspace: Workspace;
let channel: Json;
beforeAll(async () => {
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, 1);
});

const MIME = 'MIME-Version: 1.0';
const of = (type: string, body: string, headers: string[] = []) =>
  rawMail({ headers: [MIME, `Content-Type: ${type}`, ...headers], body });
const raw = (text: string) => Buffer.from(text, 'latin1');

/** A mail in a mail in a mail … */
function nested(depth: number, inner: string): string {
  let text = inner;
  for (let nr = 0; nr < depth; nr++)
    text = `Content-Type: multipart/mixed; boundary="b${nr}"\n\n--b${nr}\nContent-Type: message/rfc822\n\n${text}\n--b${nr}--\n`;
  return text;
}

const multiparts = (depth: number): string =>
  Array.from(
    { length: depth },
    (_, nr) => `--b${nr}\nContent-Type: multipart/mixed; boundary="b${nr + 1}"\n\n`,
  ).join('');

const addresses = (count: number): string =>
  Array.from({ length: count }, (_, nr) => `a${nr}@x.example`).join(',\n ');

/** 16 MiB of zeros, packed, and what they are packed to packed again. */
const bomb = (): Buffer => gzipSync(gzipSync(Buffer.alloc(16 * 1024 * 1024)));

const MAILS: [what: string, mail: () => Buffer<ArrayBuffer>][] = [
  ['nothing', () => raw('')],
  ['line ends alone', () => raw('\r\n'.repeat(100_000))],
  ['zeros', () => raw('\0'.repeat(1_000_000))],
  ['all bytes', () => Buffer.from(Array.from({ length: 500_000 }, (_, nr) => (nr * 7_919) % 256))],
  ['one line', () => raw('x'.repeat(5_000_000))],
  ['headers alone', () => raw('A: b\r\n'.repeat(30_000))],
  [
    '10 MB of headers',
    () => rawMail({ headers: Array.from({ length: 100_000 }, () => `X: ${'y'.repeat(96)}`) }),
  ],
  ['one header of 10 MB', () => rawMail({ headers: [`X: ${'y'.repeat(10_000_000)}`] })],
  ['a header of 900 kB', () => rawMail({ subject: 'x'.repeat(900_000) })],
  ['a header folded 20,000 times', () => rawMail({ subject: 'x\n '.repeat(20_000) })],
  ['encoded words without end', () => rawMail({ subject: '=?utf-8?Q?=00=ED=A0=80?= '.repeat(10_000) })],
  [
    '5,000 senders',
    () => rawMail({ from: Array.from({ length: 5_000 }, (_, nr) => `a${nr}@x.example`).join(', ') }),
  ],
  ['2^20 recipients', () => rawMail({ to: addresses(2 ** 20) })],
  ['2^20 recipients of copies', () => rawMail({ headers: [`Cc: ${addresses(2 ** 20)}`] })],
  ['20,000 recipients of copies', () => rawMail({ headers: [`Cc: ${addresses(20_000)}`] })],
  [
    'line ends in names',
    () =>
      rawMail({
        from: '=?utf-8?Q?Grace=0D=0ABcc:_all@x.example=0D=0A=0D=0Ax?= <grace@navy.example>',
        subject: '=?utf-8?Q?Blue=0D=0ASet-Cookie:_a=3Db?=',
        headers: [
          MIME,
          `Content-Type: application/pdf; name="=?utf-8?Q?a=0D=0AX-Evil:_1.pdf?="`,
          'Content-Disposition: attachment',
        ],
      }),
  ],
  ['brackets in addresses', () => rawMail({ from: '('.repeat(50_000), to: '<'.repeat(50_000) })],
  ['groups in groups', () => rawMail({ to: 'a:'.repeat(10_000) })],
  ['an address that is none', () => rawMail({ from: '"\0" <\u202e@@>' })],
  [
    '20,000 references',
    () => rawMail({ references: Array.from({ length: 20_000 }, (_, nr) => `<${nr}@x>`).join(' ') }),
  ],
  ['a Message-ID of 500 kB', () => rawMail({ id: `<${'x'.repeat(500_000)}@x>` })],
  [
    'itself as what it answers',
    () => rawMail({ id: '<loop@x.example>', inReplyTo: '<loop@x.example>', references: '<loop@x.example>' }),
  ],
  ['a date out of time', () => rawMail({ date: 'Fri, 99 Foo 99999 99:99:99 +9999' })],
  ['no day of any month', () => rawMail({ date: 'Mon, 30 Feb 2026 24:60:61 -2500' })],
  ['a date of 100 kB', () => rawMail({ date: '1'.repeat(100_000) })],
  ['a date before time', () => rawMail({ date: 'Mon, 01 Jan 0001 00:00:00 +0000' })],
  [
    '900 files',
    () =>
      of(
        'multipart/mixed; boundary="b"',
        `${'--b\nContent-Type: image/png\nContent-Disposition: attachment\n\nx\n'.repeat(900)}--b--`,
      ),
  ],
  ['multiparts 300 deep', () => of('multipart/mixed; boundary="b0"', multiparts(300))],
  ['multiparts 5,000 deep', () => of('multipart/mixed; boundary="b0"', multiparts(5_000))],
  [
    'an archive that unpacks to a thousand times its size',
    () => mailWithFile({}, [{ name: 'bomb.gz', type: 'application/gzip', bytes: bomb() }]),
  ],
  [
    'a boundary of 1 MB',
    () => of(`multipart/mixed; boundary="${'b'.repeat(1_000_000)}"`, `--${'b'.repeat(1_000_000)}\n\nx`),
  ],
  ['nothing but delimiters', () => of('multipart/mixed; boundary="b"', '--b\n'.repeat(500_000))],
  ['mails in mails 60 deep', () => raw(`From: a@x.example\n${nested(60, 'Subject: x\n\nx')}`)],
  ['a boundary of nothing', () => of('multipart/mixed; boundary=""', '----\n--\n'.repeat(10_000))],
  ['a boundary that never ends', () => of('multipart/mixed; boundary="b"', '--b\n\nx')],
  [
    'bad base64',
    () =>
      of('application/pdf', '====!!!!'.repeat(50_000), [
        'Content-Transfer-Encoding: base64',
        'Content-Disposition: attachment',
      ]),
  ],
  [
    'bad quoted-printable',
    () => of('text/plain', '=\n=0=ZZ='.repeat(50_000), ['Content-Transfer-Encoding: quoted-printable']),
  ],
  [
    'an unknown charset and encoding',
    () => of('text/plain; charset=nonsense-42', '\xff\xfe', ['Content-Transfer-Encoding: nonsense']),
  ],
  [
    'a charset of 100 kB',
    () => of(`text/plain; charset="${'../%00'.repeat(20_000)}"`, 'x', ['Content-Transfer-Encoding: 8bit']),
  ],
  ['the charset __proto__', () => of('text/plain; charset=__proto__', 'x')],
  ['a type that is none', () => of('/;;;=;"', 'x', ['Content-Disposition: ;;;'])],
  [
    'a file name of 500 kB',
    () => of(`application/pdf; name="${'../'.repeat(160_000)}x"`, 'x', ['Content-Disposition: attachment']),
  ],
  ['HTML 20,000 deep', () => of('text/html', '<div>'.repeat(20_000))],
  ['HTML of 500,000 lines', () => of('text/html', 'x<br>\n'.repeat(500_000))],
  ['HTML of 6,000,000 paragraphs', () => of('text/html', '<p>a'.repeat(6_000_000))],
  ['HTML of half tags', () => of('text/html', '<'.repeat(200_000))],
  ['HTML of a tag that does not end', () => of('text/html', `<${'a'.repeat(400_000)}`)],
  [
    'delimiters followed by blanks',
    () =>
      of(
        'multipart/mixed; boundary="b"',
        `--${`x${' '.repeat(200_000)}"\n--`.repeat(2)}b${' '.repeat(400_000)}x `,
      ),
  ],
  ['a date of blanks', () => of('text/plain', 'x', [`Date: ${' \t'.repeat(200_000)}1`])],
  ['tables in tables', () => of('text/html', '<table><tr><td>'.repeat(3_000))],
  ['quote marks', () => rawMail({ body: '>'.repeat(500_000) })],
  ['introductions of quotes', () => rawMail({ body: `x\n${'On 2026 a wrote\n'.repeat(50_000)}` })],
  ['1,000,000 lines', () => rawMail({ body: 'x\n'.repeat(1_000_000) })],
  [
    'half an emoji at the cut',
    () =>
      rawMail({
        body: `${'x'.repeat(999_999)}🦋🦋`,
        headers: [MIME, 'Content-Type: text/plain; charset=utf-8'],
      }),
  ],
  [
    'a report without a word',
    () =>
      of(
        'multipart/report; report-type=delivery-status; boundary="b"',
        '--b\nContent-Type: message/delivery-status\n\n\n--b--',
      ),
  ],
];

describe('a hostile mail', () => {
  it.each(MAILS)('of %s is answered, and what it makes can be read', async (_, mail) => {
    let answer = await postMail(channel, mail());
    // A busy machine may run out of time once.
    if (answer.status === 503) answer = await postMail(channel, mail());
    expect([200, 201, 202, 400, 413]).toContain(answer.status);
    if (answer.status !== 201) return;
    const { conversation_id, message_id } = answer.body;
    expect(await ok(workspace.api.get(`conversations/${conversation_id}/messages/${message_id}`))).toEqual(
      answer.body,
    );
  });

  it('of more HTML than a document has is recorded with its text', async () => {
    const message = await ok(postMail(channel, of('text/html', '<p>Blue &amp; green</p>\n'.repeat(100_000))));
    expect(message.content.split('\n').slice(0, 3)).toEqual(Array(3).fill('Blue & green'));
  });

  it('does not bring line ends into names, subjects and file names', async () => {
    const [, mail] = MAILS.find(([what]) => what === 'line ends in names')!;
    const message = await ok(postMail(channel, mail()));
    const { contact_id } = await ok(workspace.api.get(`conversations/${message.conversation_id}`));
    const { name } = await ok(workspace.api.get(`contacts/${contact_id}`));
    for (const text of [name, message.subject, message.attachments[0].file_name])
      expect(text).toMatch(/^[^\r\n]+$/);
  });

  it('does not keep others from being served meanwhile, nor the memory', async () => {
    let isOver = false;
    let served = 0;
    const hostile = Promise.all(MAILS.map(([, mail]) => postMail(channel, mail()))).finally(
      () => (isOver = true),
    );
    while (!isOver) {
      expect((await workspace.api.get('contacts', { limit: 1 })).status).toBe(200);
      served++;
    }
    await hostile;
    expect(served).toBeGreaterThan(10);
    const { text } = await workspace.admin.get('/metrics');
    const [, resident] = /^process_resident_memory_bytes (\S+)$/m.exec(text)!;
    expect(Number(resident)).toBeLessThan(2 * 1024 ** 3);
  });

  it('holds nobody up: after all of them a plain one is taken', async () => {
    await Promise.all(MAILS.slice(0, 12).map(([, mail]) => postMail(channel, mail())));
    expect((await postMail(channel, rawMail())).status).toBe(201);
  });
});
