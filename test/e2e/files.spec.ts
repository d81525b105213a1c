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
    ['parts', Buffer.from('--b'), 'multipart/form-data; boundary=b'],
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
    ['a PNG called text', PNG, 'text/plain'],
    ['a PNG called a PDF', PNG, 'application/pdf'],
    ['a PDF called a PNG', PDF, 'image/png'],
    ['a program called a PNG', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]), 'image/png'],
  ])('that its bytes tell to be of another kind is refused: %s', async (_, bytes, type) => {
    const refused = await push(bytes, { type });
    expectProblem(refused, 400, 'validation_failed');
    expect(refused.body.detail).toContain('content_type');
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
