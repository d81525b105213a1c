import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { simpleParser } from 'mailparser';
import type { AnsweredMessage } from '../../conversations/conversations.contract.js';
import { composeMail } from './compose-mail.js';
import { NOT_QUEUED } from '../delivery.js';
import type { Draft } from '../draft.js';

const CHANNEL = {
  channelId: 'channel_1',
  host: 'mx.acme.example',
  port: 25,
  secure: false,
  auth: undefined,
  from: { name: 'Acme', address: 'sales@acme.example' },
  replyToken: false,
  listUnsubscribe: false,
};

const DRAFT: Draft = {
  draft_id: 'draft_1',
  kind: 'message',
  conversation_id: null,
  subject: 'Your renewal',
  body_html: '<p>Shall we?</p>',
  cc_emails: [],
  bcc_emails: [],
  recipient_name: 'Grace',
  recipient_email: 'grace@navy.example',
  recipient_phone_number: null,
  recipient_key: 'email:grace@navy.example',
  agent_id: null,
  add_notification: false,
  folder: 'drafts',
  modality: 'email',
  created_at: '2026-01-01T00:00:00.000000Z',
  scheduled_send_at: null,
  email_message_id: 'own@acme.example',
  links: [],
  was_overwritten: false,
  cancel_on_reply: false,
  close_after_send: false,
  heard_at: null,
  files: [],
  without_signature: false,
  writer_id: null,
  message_id: null,
  delivery: NOT_QUEUED,
};

const composed = async (
  draft: Partial<Draft>,
  answered: AnsweredMessage | null = null,
  signature: string | null = null,
) => {
  const mail = await composeMail({ ...DRAFT, ...draft }, CHANNEL, answered, {
    senderName: null,
    signature,
    replyTo: null,
    linkRoot: 'https://acme.example/l/',
    unsubscribeUrl: null,
    bytesOf: ({ sha256 }) => Promise.resolve(Readable.from([Buffer.from(`bytes of ${sha256}`)])),
  });
  const raw = typeof mail.raw === 'function' ? await buffer(mail.raw()) : mail.raw;
  return { ...mail, raw };
};

const answering = (subject: string, id: string): [Partial<Draft>, AnsweredMessage] => [
  { kind: 'response', conversation_id: 'conv_1', subject: null },
  { subject, email_metadata: { email_message_id: id, in_reply_to: [], references: [] } },
];

const long = (letter: string) => letter.repeat(3_000);

describe('a mail that leaves', () => {
  it('has the pictures in its body as parts that its HTML names, each once', async () => {
    const png = Buffer.from('\x89PNG one', 'latin1');
    const img = `<img src="data:image/png;base64,${png.toString('base64')}" alt="one" />`;
    const body_html = `<p>See ${img} ${img} <img src="data:image/gif,GIF89a%00%ff" /> <img src="https://us.example/x.png" /></p>`;
    const file = {
      file_id: 'file_1',
      file_name: 'plan.pdf',
      content_type: 'application/pdf',
      size: 1,
      sha256: '1',
    };
    const files = [{ ...file, created_at: DRAFT.created_at }];
    for (const draft of [{ body_html }, { body_html, files }]) {
      const { raw } = await composed(draft);
      const { html, attachments } = await simpleParser(raw, { skipImageLinks: true });
      const [one, other] = attachments.filter(({ related }) => related);
      expect([one!.content, other!.content]).toEqual([png, Buffer.from('GIF89a\0\xff', 'latin1')]);
      expect([one!.contentType, other!.contentType]).toEqual(['image/png', 'image/gif']);
      expect(one).toMatchObject({ contentDisposition: 'inline', filename: 'image-1.png' });
      const sources = Array.from(String(html).matchAll(/src="([^"]*)"/g), ([, source]) => source);
      const [first, second] = [one, other].map((part) => `cid:${part!.cid}`);
      expect(sources).toEqual([first, first, second, 'https://us.example/x.png']);
      expect(attachments).toHaveLength(2 + (draft.files?.length ?? 0));
      expect((await composed(draft)).raw.toString()).toContain(one!.contentId);
    }
  });

  it('names once, and goes once to, a recipient who is in cc and bcc, too', async () => {
    const { envelope, raw } = await composed({
      recipient_emails: ['grace@navy.example', 'ann@buyer.example'],
      cc_emails: ['Grace@NAVY.example', 'bob@büyer.example', 'bob@xn--byer-0ra.example'],
      bcc_emails: ['ann@buyer.example', 'eve@buyer.example'],
    });
    const { to, cc } = await simpleParser(raw);
    const named = [to, cc].map((list) =>
      [list!].flat().flatMap(({ value }) => value.map((one) => one.address)),
    );
    expect(named).toEqual([['grace@navy.example', 'ann@buyer.example'], ['bob@büyer.example']]);
    const sentTo = [
      'grace@navy.example',
      'ann@buyer.example',
      'bob@xn--byer-0ra.example',
      'eve@buyer.example',
    ];
    expect(envelope.to).toEqual(sentTo);
  });

  it.each(['Hello Grace,\n\n1 &lt; 2 &amp; 3 > 2\nAnn', 'Hello Grace,\r\n\r\n1 &lt; 2 &amp; 3 > 2\r\nAnn'])(
    'has the line ends of a body without a tag in both parts: %j',
    async (body_html) => {
      for (const signature of [null, 'Ann Byron']) {
        const { html, text } = await simpleParser((await composed({ body_html }, null, signature)).raw);
        expect(text).toMatch(/^Hello Grace,\n\n1 < 2 & 3 > 2\nAnn(?:\n|$)/);
        expect(html).toMatch(/^Hello Grace,<br>\n<br>\n1 &lt; 2 &amp; 3 &gt; 2<br>\nAnn/);
      }
    },
  );

  it.each<[string, Parameters<typeof composed>]>([
    ['a subject', [{ subject: long('A').slice(0, 1_000) }]],
    ['a name', [{ recipient_name: long('G').slice(0, 1_000) }]],
    ['the subject of a mail that it answers', answering(long('A'), 'question@navy.example')],
    ['the Message-ID of a mail that it answers', answering('Blue', `${long('i')}@navy.example`)],
  ])('has no line over 998 octets, whatever has no blanks in it: %s', async (_, parts) => {
    const { raw } = await composed(...parts);
    for (const line of raw.toString().split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(998);
  });

  it('goes to domains as they are written in ASCII, which every server takes', async () => {
    const { envelope } = await composed({
      recipient_email: 'grace@bücher.example',
      cc_emails: ['Grace@Navy.example', 'ada@xn--bcher-kva.example', 'ada@日本.example'],
      bcc_emails: ['grace@xn--bcher-kva.example'],
    });
    expect(envelope.to).toEqual([
      'grace@xn--bcher-kva.example',
      'Grace@Navy.example',
      'ada@xn--bcher-kva.example',
      'ada@xn--wgv71a.example',
    ]);
  });

  it.each([
    ['=?utf-8?Q?=0D=0ABcc:_boss@navy.example?='],
    ['Re: =?UTF-8?B?SGk=?= =?UTF-8?B?SGk=?='],
    [`=? ${'Grüße, '.repeat(20)}`.trim()],
  ])('is read under the subject that was written, whatever that looks like: %s', async (subject) => {
    const { raw } = await composed({ subject });
    expect((await simpleParser(raw)).subject).toBe(subject);
  });

  it.each([
    ['has no words', '<img src="https://x.example/a.png">'],
    ['is white space', ' '],
  ])('has a text alternative where its HTML %s', async (_, body_html) => {
    const { raw } = await composed({ body_html });
    expect(raw.toString()).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(raw.toString()).toMatch(/^Content-Type: text\/plain/m);
  });

  it('ends with the signature of its agent, in both of its forms, with the space behind the dashes', async () => {
    const { raw } = await composed({}, null, '<p>Ada <b>Byron</b></p>');
    expect(raw.toString()).toMatch(/^--(?: |=20)\r?\nAda Byron/m);
    const { html, text } = await simpleParser(raw);
    expect(html).toBe('<p>Shall we?</p><div><p>Ada <b>Byron</b></p></div>');
    expect(text).toBe('Shall we?\n\n-- \nAda Byron');
  });

  it('leaves without the signature where the draft says so', async () => {
    const { raw } = await composed({ without_signature: true }, null, '<p>Ada</p>');
    expect(raw.toString()).not.toContain('Ada');
  });

  it('tracks no link of the signature', async () => {
    const url = 'https://acme.example/';
    const links = [{ link_id: 'link_1', url }];
    const link = `<a href="${url}">Acme</a>`;
    const { html } = await simpleParser((await composed({ body_html: link, links }, null, link)).raw);
    expect(html).toBe(`<a href="https://acme.example/l/link_1">Acme</a><div>${link}</div>`);
  });

  it('names those who have it in blind copy nowhere but in its envelope', async () => {
    const { envelope, raw } = await composed({ bcc_emails: ['boss@navy.example'] });
    expect(envelope.to).toContain('boss@navy.example');
    expect(raw.toString()).not.toContain('boss@navy.example');
  });

  const fileOf = (file_name: string, content_type = 'application/pdf') => ({
    file_id: `file_${file_name}`,
    file_name,
    content_type,
    size: 10,
    sha256: file_name,
    created_at: DRAFT.created_at,
  });

  it.each([
    'offer.pdf',
    'Angebot für Ölfässer.pdf',
    '見積書.pdf',
    'عرض.pdf',
    `${'ü'.repeat(200)}.pdf`,
    'a"b;c=d.pdf',
    '👍.pdf',
  ])('carries a file under its name, whatever the script: %s', async (name) => {
    const { raw } = await composed({ files: [fileOf(name)] });
    const { attachments } = await simpleParser(raw);
    expect(
      attachments.map(({ filename, contentType, content }) => [filename, contentType, content.toString()]),
    ).toEqual([[name, 'application/pdf', `bytes of ${name}`]]);
  });

  it('names a file in both forms: RFC 2231 and, for older programs, RFC 2047', async () => {
    const { raw } = await composed({ files: [fileOf('Öl.pdf')] });
    expect(raw.toString()).toMatch(/filename\*0\*=utf-8''%C3%96l\.pdf/i);
    expect(raw.toString()).toMatch(/name="=\?UTF-8\?[BQ]\?/i);
  });

  it('carries its files in their order', async () => {
    const { raw } = await composed({ files: [fileOf('b.txt', 'text/plain'), fileOf('a.png', 'image/png')] });
    const { attachments, html } = await simpleParser(raw);
    expect(attachments.map(({ filename }) => filename)).toEqual(['b.txt', 'a.png']);
    expect(html).toContain('Shall we?');
  });
});
