import { createHash } from 'node:crypto';
import {
  apiOf,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { mailWithFile, newMessageId, postMail, rawMail } from '../support/data/mail.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { startServer } from '../support/server/server.js';

let workspace: Workspace;
let channel: Json;
beforeAll(async () => {
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, 1);
});

const pathOf = ({ conversation_id, message_id }: Json, attachment_id: string) =>
  `conversations/${conversation_id}/messages/${message_id}/attachments/${attachment_id}`;
const download = (message: Json, { attachment_id } = message.attachments[0]) =>
  workspace.api.get(pathOf(message, attachment_id));

describe('attachments of a mail', () => {
  it('are listed on the message with name, type, size and hash', async () => {
    const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, nr) => nr % 256));
    const message = await ok(
      postMail(
        channel,
        mailWithFile({}, [
          { bytes },
          { name: 'logo.png', type: 'image/png', headers: ['Content-ID: <logo@x>'], disposition: 'inline' },
        ]),
      ),
    );
    expect(message.content).toBe('see attachment');
    expect(message.attachments).toEqual([
      {
        attachment_id: expect.stringMatching(/^attachment_/),
        file_name: 'drawing.pdf',
        content_type: 'application/pdf',
        size: 5_000,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        is_inline: false,
        content_id: null,
      },
      expect.objectContaining({
        file_name: 'logo.png',
        content_type: 'image/png',
        is_inline: true,
        content_id: 'logo@x',
      }),
    ]);
    const { data } = await ok(workspace.api.get(`conversations/${message.conversation_id}/messages`));
    expect(data).toEqual([message]);
  });

  it('are downloaded byte for byte, to be saved and not shown', async () => {
    const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, nr) => nr % 256));
    const message = await ok(
      postMail(channel, mailWithFile({}, [{ bytes, name: '=?utf-8?Q?gr=C3=B6=C3=9Fe.pdf?=' }])),
    );
    const path = pathOf(message, message.attachments[0].attachment_id);
    const answer = await fetch(workspace.api.url + workspace.api.path(path), {
      headers: workspace.api.headers,
    });
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '5000',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="gr__e.pdf"; filename*=UTF-8''gr%C3%B6%C3%9Fe.pdf`,
    });
  });

  it.each([
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xml',
    'application/javascript',
    'text/javascript',
    'TEXT/HTML',
  ])('of type %s, which a browser would run, are given as bytes', async (type) => {
    const message = await ok(
      postMail(channel, mailWithFile({}, [{ name: 'x', type, bytes: Buffer.from('<script>') }])),
    );
    const { status, headers } = await download(message);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  });

  it('have names without paths, control characters or changes of direction', async () => {
    const names = [
      '../../etc/passwd',
      'C:\\\\evil.exe',
      '=?utf-8?Q?a=00=0D=0Ab=E2=80=AEgpj.exe?=',
      '=?utf-8?Q?=01../../etc/=0A../passwd?=',
      '=?utf-8?Q?=E2=80=AE..?=',
    ];
    const message = await ok(
      postMail(
        channel,
        mailWithFile(
          {},
          names.map((name) => ({ name })),
        ),
      ),
    );
    const shown = message.attachments.map(({ file_name }: Json) => file_name);
    expect(shown).toEqual(['passwd', 'evil.exe', 'abgpj.exe', 'passwd', null]);
    for (const attachment of message.attachments)
      expect((await download(message, attachment)).headers.get('content-disposition')).toMatch(
        /^attachment; filename="[\w.]+"/,
      );
  });

  it('are kept once for a mail that comes again, under the ids they had', async () => {
    const raw = mailWithFile();
    const first = await ok(postMail(channel, raw));
    const again = await postMail(channel, raw);
    expect([again.status, again.body]).toEqual([200, first]);
    expect((await download(first)).text).toBe('%PDF-1.7');
  });

  it('of an attached mail are in it, and its text is not ours', async () => {
    const inner = rawMail({ subject: 'inner' });
    const message = await ok(
      postMail(
        channel,
        mailWithFile({}, [{ name: 'inner.eml', type: 'message/rfc822', bytes: Buffer.from(inner) }]),
      ),
    );
    expect(message.attachments).toHaveLength(1);
    expect(message.attachments[0].content_type).toBe('message/rfc822');
    expect((await download(message)).headers.get('content-type')).toBe('application/octet-stream');
  });

  it('are none of a mail without, and of other messages', async () => {
    expect((await ok(postMail(channel, rawMail()))).attachments).toEqual([]);
  });

  it('of 150 are kept up to the hundredth', async () => {
    const files = Array.from({ length: 150 }, (_, nr) => ({ bytes: Buffer.from(String(nr)) }));
    expect((await ok(postMail(channel, mailWithFile({}, files)))).attachments).toHaveLength(100);
  });

  it('are not found by another message, conversation, organization, or without their id', async () => {
    const message = await ok(postMail(channel, mailWithFile()));
    const [{ attachment_id, sha256 }] = message.attachments;
    const other = await ok(postMail(channel, mailWithFile()));
    for (const id of [
      'attachment_nowhere',
      sha256,
      other.attachments[0].attachment_id,
      '..%2f..%2fsecret.key',
    ])
      expectProblem(await workspace.api.get(pathOf(message, id)), 404, 'attachment_not_found');
    expectProblem(
      await workspace.api.get(pathOf({ ...message, message_id: other.message_id }, attachment_id)),
      404,
      'message_not_found',
    );
    const stranger = await newWorkspace();
    expectProblem(await stranger.api.get(pathOf(message, attachment_id)), 404, 'conversation_not_found');
    const path = workspace.api.path(pathOf(message, attachment_id));
    expectProblem(await stranger.api.get(path), 404, 'organization_not_found');
    expectProblem(await workspace.api.with({ 'x-api-key': '' }).get(path), 401, 'unauthorized');
  });
});

describe('an attachment that was answered', () => {
  it('is there after the process was killed at once', async () => {
    const first = await startServer();
    const { organizationId, key, ...rest } = await newWorkspace({ url: first.url });
    const theirs = await emailChannel({ organizationId, key, ...rest }, 1);
    const message = await ok(postMail(theirs, mailWithFile(), first.url));
    await first.kill();
    const second = await startServer({ dataDir: first.dataDir });
    const { attachment_id } = message.attachments[0];
    expect((await apiOf(organizationId, key, second.url).get(pathOf(message, attachment_id))).text).toBe(
      '%PDF-1.7',
    );
    await second.stop();
    removeDataDir(first.dataDir);
  });
});

describe('what the writer added', () => {
  it('stands in new_content, the whole text in content', async () => {
    const id = newMessageId();
    await ok(postMail(channel, rawMail({ id })));
    const body =
      'Yes, please.\n\nOn Fri, Jan 2, 2026 Sales <sales@acme.example> wrote:\n> Do you have it in blue?';
    const message = await ok(postMail(channel, rawMail({ inReplyTo: id, body })));
    expect([message.new_content, message.content]).toEqual(['Yes, please.', body]);
    expect((await ok(postMail(channel, rawMail()))).new_content).toBeNull();
  });
});
