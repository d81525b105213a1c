import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import {
  type Answer,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { autosend, draftsOf, promotedMessage, receivedMail } from '../support/data/mail.js';
import { firstMessage, openedBy } from '../support/data/message-drafts.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { textsBy } from '../support/stand-ins/twilio.js';
import { until } from '../support/until.js';

let server: Server;
let workspace: Workspace;
let smtp: TestSmtp;
beforeAll(async () => {
  server = await startServer();
  smtp = await startSmtp();
  workspace = await newWorkspace({ url: server.url });
  await emailChannel(workspace, smtp.port);
});
afterAll(async () => {
  await smtp.close();
  await server.stop();
  removeDataDir(server.dataDir);
});

const MIB = 1024 * 1024;
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\n');
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
);
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface Sent {
  name?: string;
  type?: string | null;
  headers?: Record<string, string>;
}

const push = (bytes: Buffer, { name = 'offer.pdf', type = 'application/pdf', headers = {} }: Sent = {}) =>
  workspace.api.send('POST', 'files', {
    raw: bytes as Buffer<ArrayBuffer>,
    query: { file_name: name },
    headers: { ...(type !== null && { 'content-type': type }), ...headers },
  });
const upload = (bytes = PDF, sent: Sent = {}): Promise<Json> => ok(push(bytes, sent));
const fetched = ({ file_id }: Json): Promise<Response> =>
  fetch(server.url + workspace.api.path(`files/${file_id}`), { headers: workspace.api.headers });
const left = () => readdirSync(join(server.dataDir, 'uploads'));

describe('a file', () => {
  it('is taken as it is and told with its hash', async () => {
    const answer = await push(PDF);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      file_id: expect.stringMatching(/^file_/) as string,
      file_name: 'offer.pdf',
      content_type: 'application/pdf',
      size: PDF.length,
      sha256: sha256Of(PDF),
      created_at: expect.any(String) as string,
    });
  });

  it.each([
    ['JSON that is none', Buffer.from('{"a":'), 'application/json'],
    ['a mail', Buffer.from('From: x\r\n\r\ny'), 'message/rfc822'],
    ['a form', Buffer.from('a=b&c'), 'application/x-www-form-urlencoded'],
    ['parts', Buffer.from('--b'), 'multipart/mixed; boundary=b'],
    ['text in UTF-16', Buffer.from('\ufeffA;B\r\n', 'utf16le'), 'text/plain'],
    ['text in UTF-16 for Excel', Buffer.from('\ufeffA;B\r\n', 'utf16le'), 'application/vnd.ms-excel'],
    ['a drawing', PDF, 'application/postscript'],
    ['a model', Buffer.concat([Buffer.from('solid '), Buffer.alloc(200)]), 'model/stl'],
    ['a PNG called text', PNG, 'text/plain'],
    ['a PNG called a PDF', PNG, 'application/pdf'],
    ['a program called a PNG', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]), 'image/png'],
    ['a drawing for pages', Buffer.from('<svg/>'), 'image/svg+xml'],
    ['text with a tag, called sound', Buffer.from('a <b>'), 'audio/mpeg'],
    ['XML of no page, called film', Buffer.from('<?xml version="1.0"?><smil/>'), 'video/mp4'],
    ['text with NUL and bytes that are no UTF-8', Buffer.from([0, 255, 254, 0]), 'text/plain'],
    ['HTML', Buffer.from('<script>alert(1)</script>'), 'text/html'],
    ['no type', randomBytes(1000), null],
    ['20 MiB', randomBytes(20 * MIB), 'application/octet-stream'],
  ])('of any kind comes back byte for byte: %s', async (_, bytes, type) => {
    const file = await upload(bytes, { type });
    expect(file).toMatchObject({
      size: bytes.length,
      sha256: sha256Of(bytes),
      content_type: type?.split(';')[0] ?? 'application/octet-stream',
    });
    const answer = await fetched(file);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="offer.pdf"/);
    expect(answer.headers.get('content-type')).not.toMatch(/html|json\b.*charset/);
  });

  it.each([
    'Angebot für Öl.pdf',
    '見積書.pdf',
    'a"b;c.pdf',
    'no dot',
    '👍🏽.png',
    'קובץ\u200f.pdf',
    'x'.repeat(1_000),
  ])('keeps its name in any script: %s', async (name) => {
    const file = await upload(PDF, { name });
    expect(file.file_name).toBe(name);
    const disposition = (await fetched(file)).headers.get('content-disposition')!;
    expect(decodeURIComponent(disposition.split("UTF-8''")[1]!)).toBe(name);
  });

  it.each(['', '../secret', 'a/b', 'a\\b', '..', '.', 'a\nb', 'a\u202egpj.exe', 'x'.repeat(1_001)])(
    'without a sane name is refused: %j',
    async (name) => {
      const refused = await push(PDF, { name });
      expectProblem(refused, 400, 'validation_failed');
      expect(refused.body.detail).toContain('file_name');
    },
  );

  it('without a name, or without bytes, is refused', async () => {
    const nameless = await workspace.api.send('POST', 'files', {
      raw: PDF,
      headers: { 'content-type': 'application/pdf' },
    });
    expectProblem(nameless, 400, 'validation_failed');
    expectProblem(await push(Buffer.alloc(0)), 400, 'validation_failed');
  });

  it('of more than 20 MiB is refused, with a length or without', async () => {
    const bytes = Buffer.alloc(20 * MIB + 1);
    expectProblem(await push(bytes), 413, 'body_too_large');
    const streamed = await fetch(server.url + workspace.api.path('files?file_name=x'), {
      method: 'POST',
      body: new Blob([bytes]).stream(),
      duplex: 'half',
      headers: { ...workspace.api.headers, 'content-type': 'application/pdf' },
    } as RequestInit);
    expect(streamed.status).toBe(413);
    await until(() => left().length === 0);
  });

  it.each([
    ['image/png', '<!DOCTYPE html><html>'],
    ['image/png', '\n\t <HTML>'],
    ['image/jpeg', '<script>alert(1)</script>'],
    ['image/x-icon', '<!-- x --><body>'],
    ['image/gif', '\ufeff<svg xmlns="http://www.w3.org/2000/svg">'],
    ['audio/mpeg', '<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg>'],
    ['video/mp4', '<?xml version="1.0"?><!-- x --><svg:svg xmlns:svg="x">'],
    ['application/pdf', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">'],
    ['application/pdf; charset=utf-8', '<p>'],
  ])('of the type %s that begins as a page is refused: %s', async (type, text) => {
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`, 'utf16le')])
      expectProblem(await push(bytes, { type }), 400, 'validation_failed', 'content_type');
  });

  it.each([
    ['text/csv; charset=utf-16le', 'text/csv; charset=utf-16le'],
    ['TEXT/Plain; format=flowed; charset="utf-8"', 'text/plain; charset=utf-8'],
    ['application/json; profile=x', 'application/json'],
    ['text/plain; charset=', 'text/plain'],
    ['text/plain; charset=a b', 'text/plain'],
    ['nonsense; charset=utf-8', 'application/octet-stream'],
  ])('declared as %s is kept as %s', async (type, content_type) => {
    const file = await upload(PDF, { type });
    expect(file.content_type).toBe(content_type);
    expect((await fetched(file)).headers.get('content-type')).toBe(content_type);
  });

  describe('in a form', () => {
    const form = (...parts: string[]) => ({
      bytes: Buffer.from(`${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`),
      type: 'multipart/form-data; boundary=b',
    });
    const part = (
      disposition: string,
      content = 'text',
      type = 'Content-Type: text/csv; charset=utf-8; x=y\r\n',
    ) => `Content-Disposition: form-data; ${disposition}\r\n${type}\r\n${content}`;
    const send = ({ bytes, type }: { bytes: Buffer; type: string }, query: Record<string, string> = {}) =>
      workspace.api.send('POST', 'files', {
        raw: bytes as Buffer<ArrayBuffer>,
        query,
        headers: { 'content-type': type },
      });

    it.each([
      ['name="a"; filename="offer.csv"', 'offer.csv'],
      ['name="a;b=\\"; filename=x"; filename="größer \\"1\\".csv"', 'größer "1".csv'],
      ['name=a; filename=%22.csv', '".csv'],
      [`name="a"; filename="x"; filename*=UTF-8''%e8%a6%8b.csv`, '見.csv'],
    ])('is taken with the name and type that it has there: %s', async (disposition, file_name) => {
      const file = await ok(send(form(part(disposition))));
      expect(file).toMatchObject({
        file_name,
        content_type: 'text/csv; charset=utf-8',
        size: 4,
        sha256: sha256Of(Buffer.from('text')),
      });
      expect(await (await fetched(file)).text()).toBe('text');
    });

    it('is as browsers and fetch send it', async () => {
      const data = new FormData();
      const bytes = randomBytes(3 * MIB);
      data.append('file', new Blob([bytes], { type: 'application/pdf' }), 'Ö "1".pdf');
      const made = new Response(data);
      const raw = Buffer.from(await made.arrayBuffer());
      const file = await ok(send({ bytes: raw, type: made.headers.get('content-type')! }));
      expect(file).toMatchObject({
        file_name: 'Ö "1".pdf',
        content_type: 'application/pdf',
        sha256: sha256Of(bytes),
      });
    });

    it('has the name of the query where that has one, and no type of its own where it says none', async () => {
      const file = await ok(send(form(part('name="a"; filename="x"', 'y', '')), { file_name: 'z.bin' }));
      expect(file).toMatchObject({ file_name: 'z.bin', content_type: 'application/octet-stream' });
    });

    it.each([
      ['no part', form()],
      ['no file name', form(part('name="a"'))],
      ['an empty file name', form(part('name="a"; filename=""'))],
      ['two files', form(part('name="a"; filename="x"'), part('name="b"; filename="y"'))],
      ['a file and a field', form(part('name="a"; filename="x"'), part('name="b"'))],
      ['an empty file', form(part('name="a"; filename="x"', ''))],
      [
        'no end',
        {
          ...form(part('name="a"; filename="x"')),
          bytes: Buffer.from('--b\r\nContent-Disposition: form-data; filename="x"\r\n\r\ny'),
        },
      ],
      ['no headers', form('x')],
      [
        'another boundary',
        { ...form(part('name="a"; filename="x"')), type: 'multipart/form-data; boundary=c' },
      ],
      ['no boundary', { ...form(part('name="a"; filename="x"')), type: 'multipart/form-data' }],
      ['an insane name', form(part('name="a"; filename="a%0Ab"'))],
      [
        'a page called a picture',
        form(part('name="a"; filename="x"', '<html>', 'Content-Type: image/png\r\n')),
      ],
    ])('with %s is refused', async (_, sent) => {
      expectProblem(await send(sent), 400, 'validation_failed');
      await until(() => left().length === 0);
    });

    it('of 20 MiB is taken, a larger one is not', async () => {
      const of = (size: number) => form(part('name="a"; filename="x"', 'x'.repeat(size)));
      expect((await ok(send(of(20 * MIB)))).size).toBe(20 * MIB);
      expectProblem(await send(of(20 * MIB + 1)), 413, 'body_too_large');
      await until(() => left().length === 0);
    });
  });

  it('whose upload breaks off leaves nothing behind', async () => {
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const headers = Object.entries(workspace.api.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `POST ${workspace.api.path('files?file_name=x')} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n${headers.join('')}\r\n`,
    );
    socket.write(Buffer.alloc(100_000));
    await until(() => left().length === 1);
    socket.destroy();
    await until(() => left().length === 0);
  });

  it('that is sent again under its Idempotency-Key is one file; another under the same key is refused', async () => {
    const headers = { 'idempotency-key': 'one file' };
    const first = await upload(PDF, { headers });
    expect(await upload(PDF, { headers })).toEqual(first);
    expectProblem(await push(PNG, { headers, type: 'image/png' }), 422, 'idempotency_key_reused');
  });

  it('that is not there is 404', async () => {
    expectProblem(await workspace.api.get('files/file_01hzy3v7q4e8k9m2n5p6r7s8t9'), 404, 'file_not_found');
    expectProblem(await workspace.api.get('files/x'), 404, 'file_not_found');
  });
});

const drafted = (fields: object): Promise<Answer> =>
  workspace.api.post('message-drafts', firstMessage({ autosend_draft: false, ...fields }));

describe('a draft with files', () => {
  it('returns them, in their order', async () => {
    const [one, two] = [await upload(PDF), await upload(PNG, { name: 'x.png', type: 'image/png' })];
    const { draft_id } = await ok(drafted({ file_ids: [two.file_id, one.file_id] }));
    expect((await ok(workspace.api.get(`message-drafts/${draft_id}`))).files).toEqual([two, one]);
    const question = await receivedMail(workspace);
    const saved = await ok(
      workspace.api.post(draftsOf(question), { body_html: 'x', file_ids: [one.file_id] }),
    );
    const path = `${draftsOf(question)}/${saved.response_id}`;
    expect((await ok(workspace.api.get(path))).files).toEqual([one]);
    await ok(workspace.api.post(draftsOf(question), { body_html: 'y' }));
    expect((await ok(workspace.api.get(path))).files).toEqual([one]);
    await ok(workspace.api.post(draftsOf(question), { body_html: 'z', file_ids: [] }));
    expect((await ok(workspace.api.get(path))).files).toEqual([]);
  });

  it('shows none where it has none', async () => {
    const { draft_id } = await ok(drafted({}));
    expect((await ok(workspace.api.get(`message-drafts/${draft_id}`))).files).toEqual([]);
  });

  it('is refused for files that are not there, too many, or too large together', async () => {
    const large = await upload(randomBytes(11 * MIB), { type: null });
    const other = await upload(randomBytes(11 * MIB), { type: null });
    const many = Array.from({ length: 26 }, () => large.file_id);
    for (const file_ids of [
      ['file_01hzy3v7q4e8k9m2n5p6r7s8t9'],
      ['x'],
      'x',
      many,
      [large.file_id, large.file_id],
      [large.file_id, other.file_id],
    ]) {
      const question = await receivedMail(workspace);
      for (const refused of [
        await drafted({ file_ids }),
        await workspace.api.post(draftsOf(question), { body_html: 'x', file_ids }),
      ]) {
        expectProblem(refused, 400, 'validation_failed');
        expect(refused.body.detail).toContain('file_ids');
      }
    }
  });

  it.each(['without a channel for texts', 'with one'])(
    'is refused where it would leave by text, %s',
    async (channels) => {
      if (channels === 'with one') await textsBy(workspace, 'http://127.0.0.1:1');
      const { file_id } = await upload();
      const text = await drafted({ modality: 'text', to_phone_number: '+12125550101', file_ids: [file_id] });
      expectProblem(text, 400, 'files_not_supported');
      const question = await receivedMail(workspace, {
        modality: 'text',
        subject: undefined,
        email_metadata: {},
      });
      for (const sending of [{ body_html: 'x' }, autosend()])
        expectProblem(
          await workspace.api.post(draftsOf(question), { ...sending, file_ids: [file_id] }),
          400,
          'files_not_supported',
        );
    },
  );

  it('leaves as a mail with them, and its message lists them', async () => {
    const name = 'Angebot für Öl.pdf';
    const bytes = Buffer.concat([PDF, randomBytes(3 * MIB)]);
    const [one, two] = [
      await upload(bytes, { name }),
      await upload(PNG, { name: '図.png', type: 'image/png' }),
    ];
    const { conversation } = await openedBy(
      workspace,
      await ok(workspace.api.post('message-drafts', firstMessage({ file_ids: [one.file_id, two.file_id] }))),
    );
    const question = await receivedMail(workspace);
    const reply = await ok(workspace.api.post(draftsOf(question), autosend({ file_ids: [one.file_id] })));
    const sent = await promotedMessage(workspace, reply);
    expect(conversation).toBeDefined();
    const mails = smtp.mails.map(({ parsed }) =>
      parsed.attachments.map(({ filename, contentType, content }) => [
        filename,
        contentType,
        sha256Of(content),
      ]),
    );
    const files = [
      [name, 'application/pdf', sha256Of(bytes)],
      ['図.png', 'image/png', sha256Of(PNG)],
    ];
    expect(mails).toEqual(expect.arrayContaining([files, files.slice(0, 1)]));
    expect(sent.attachments).toEqual([
      expect.objectContaining({
        file_name: name,
        content_type: 'application/pdf',
        size: bytes.length,
        sha256: sha256Of(bytes),
        is_inline: false,
      }),
    ]);
    const path = `conversations/${sent.conversation_id}/messages/${sent.message_id}/attachments/${sent.attachments[0].attachment_id}`;
    const answer = await fetch(server.url + workspace.api.path(path), { headers: workspace.api.headers });
    expect(sha256Of(Buffer.from(await answer.arrayBuffer()))).toBe(sha256Of(bytes));
  });

  it('leaves with a type that a part of a mail may have, and the charset that was declared', async () => {
    const text = Buffer.from('\ufeffGröße', 'utf16le');
    const parts = await upload(Buffer.from('--b--'), { name: 'parts', type: 'multipart/mixed; boundary=b' });
    const table = await upload(text, { name: 'table.csv', type: 'text/csv; charset=utf-16' });
    const file_ids = [parts.file_id, table.file_id];
    const question = await receivedMail(workspace);
    const reply = await ok(workspace.api.post(draftsOf(question), autosend({ file_ids })));
    const sent = await promotedMessage(workspace, reply);
    const id = sent.email_metadata.email_message_id;
    const { raw, parsed } = smtp.mails.find((mail) => mail.parsed.messageId?.includes(id))!;
    expect(parsed.attachments.map(({ contentType }) => contentType)).toEqual([
      'application/octet-stream',
      'text/csv',
    ]);
    expect(raw.toString()).toMatch(
      /^Content-Type: text\/csv;(?=[^]{0,40}name=table\.csv)[^]{0,40}charset=utf-16/im,
    );
    expect(sent.attachments.map(({ content_type }: Json) => content_type)).toEqual([
      'multipart/mixed',
      'text/csv; charset=utf-16',
    ]);
  });
});

describe('a picture that stands in the body of a mail', () => {
  const picture = `data:image/png;base64,${PNG.toString('base64')}`;
  const body_html = `<p>Look: <img src="${picture}" alt="a dot"></p>`;

  it.each(['reply', 'first message'])(
    'of a %s leaves as a part of it, and is an attachment of the message',
    async (kind) => {
      const sent =
        kind === 'reply'
          ? await promotedMessage(
              workspace,
              await ok(workspace.api.post(draftsOf(await receivedMail(workspace)), autosend({ body_html }))),
            )
          : (
              await openedBy(
                workspace,
                await ok(workspace.api.post('message-drafts', firstMessage({ body_html }))),
              )
            ).message;
      const [attachment] = sent.attachments;
      expect(sent.attachments).toHaveLength(1);
      expect(attachment).toMatchObject({
        ...{ file_name: 'image-1.png', content_type: 'image/png', size: PNG.length, sha256: sha256Of(PNG) },
        is_inline: true,
      });
      expect(sent.body_html).toContain(`src="cid:${attachment.content_id}"`);
      expect(sent.body_html).not.toContain('data:');
      const mail = smtp.mails.find(
        ({ messageId }) => messageId === `<${sent.email_metadata.email_message_id}>`,
      )!;
      expect(mail.parsed.attachments[0]).toMatchObject({
        cid: attachment.content_id,
        content: PNG,
        related: true,
      });
      const path = `conversations/${sent.conversation_id}/messages/${sent.message_id}/attachments/${attachment.attachment_id}`;
      const answer = await fetch(server.url + workspace.api.path(path), { headers: workspace.api.headers });
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
    },
  );

  it('counts to the 20 MiB of the files beside it', async () => {
    const { file_id } = await upload(randomBytes(20 * MIB), { type: 'application/octet-stream' });
    const question = await receivedMail(workspace);
    const file_ids = [file_id];
    const saved = { body_html: '<p>Look</p>', file_ids, add_notification: false };
    await ok(workspace.api.post(draftsOf(question), saved));
    for (const [path, body] of [
      ['message-drafts', firstMessage({ body_html, file_ids })],
      [draftsOf(question), { ...saved, body_html }],
      [draftsOf(question), { ...saved, body_html, file_ids: undefined }],
    ] as const)
      expectProblem(await workspace.api.post(path, body), 400, 'validation_failed', 'file_ids');
  });
});

describe('an upload', () => {
  it('that was coming when a process was killed is cleared away by a later one', async () => {
    const old = join(server.dataDir, 'uploads', 'old');
    writeFileSync(old, 'half');
    utimesSync(old, 1_700_000_000, 1_700_000_000);
    writeFileSync(join(server.dataDir, 'uploads', 'young'), 'half');
    await server.stop();
    server = await startServer({ dataDir: server.dataDir });
    expect(left()).toEqual(['young']);
    rmSync(join(server.dataDir, 'uploads', 'young'));
  });
});
