import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import nodemailer from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';
import { CERTIFICATE, CERTIFICATE_KEY } from '../support/stand-ins/certificate.js';
import {
  Client,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  sharedUrl,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { countsOf, thirtyTwo } from '../support/clients/doors.js';
import { expectProblem } from '../support/clients/expectations.js';
import {
  autosend,
  bounceOf,
  draftsOf,
  hookOf,
  messagesOf,
  newMessageId,
  postMail,
  promotedMessage,
  rawMail,
} from '../support/data/mail.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { received } from '../support/data/records.js';
import { freePort, type Server, startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';

const MIB = 1024 * 1024;

let workspace: Workspace;
let channel: Json;
let smtp: TestSmtp;

beforeAll(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, smtp.port);
});

afterAll(() => smtp.close());

const send = (path: string, raw: string | Buffer<ArrayBuffer>, headers: Record<string, string>) =>
  new Client(workspace.api.url, '').send('POST', path, { raw, headers });

const RFC822 = { 'content-type': 'message/rfc822' };

const conversationsOf = async ({ api }: Workspace): Promise<Json[]> =>
  (await ok(api.get('conversations', { limit: 200 }))).data;

/** A message that has left by a draft, and the mail it left as. */
async function sentReply(recipient = `${unique('grace')}@navy.example`): Promise<Json> {
  const question = await ok(postMail(channel, rawMail({ from: recipient })));
  const draft = await ok(workspace.api.post(draftsOf(question), autosend()));
  return promotedMessage(workspace, draft);
}

describe('the hook for raw mail', () => {
  it('answers 201 with the message, without any API key', async () => {
    const id = newMessageId();
    const raw = rawMail({
      from: '"Hopper, Grace" <Grace@Navy.example>',
      to: 'Sales <sales@acme.example>, other@acme.example',
      subject: '=?iso-8859-1?Q?Gr=F6=DFe?= 43',
      id,
      date: 'Thu, 01 Jan 2026 12:00:00 -0500',
      headers: ['Cc: Boss <Boss@Navy.example>, "A, B" <ab@navy.example>, boss@navy.example'],
      body: 'First line\n\nSecond line',
    });
    const answer = await postMail(channel, raw);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      message_id: expect.stringMatching(/^msg_/),
      modality: 'email',
      message_direction: 'received',
      agent_id: null,
      subject: 'Größe 43',
      content: 'First line\n\nSecond line',
      is_form_request: false,
      sent_at: '2026-01-01T17:00:00.000000Z',
      email_metadata: { cc_emails: ['Boss@Navy.example', 'ab@navy.example'], bcc_emails: [] },
    });
    expect(answer.body.email_metadata.email_message_id.replace(/[<>]/g, '')).toBe(id.slice(1, -1));
    const { contact_id } = await ok(workspace.api.get(`conversations/${answer.body.conversation_id}`));
    const contact = await ok(workspace.api.get(`contacts/${contact_id}`));
    expect([contact.name, contact.email.toLowerCase()]).toEqual(['Hopper, Grace', 'grace@navy.example']);
  });

  it('takes the text part of a mail that has text and HTML', async () => {
    const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/alternative; boundary="b"'];
    const body = [
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>as HTML</p>',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'as text',
      '--b--',
    ].join('\n');
    expect((await ok(postMail(channel, rawMail({ headers, body })))).content).toBe('as text');
  });

  it('turns HTML into text when there is no text part', async () => {
    const headers = ['MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8'];
    const body = '<style>p{}</style><p>One &amp; <b>two</b></p><script>alert(1)</script><p>three</p>';
    const { content } = await ok(postMail(channel, rawMail({ headers, body })));
    expect(content).toMatch(/^One & two\s+three$/);
  });

  it('answers 200 with the message recorded before when a mail comes again, and changes nothing', async () => {
    const raw = rawMail();
    const first = await postMail(channel, raw);
    const before = await ok(workspace.api.get(`conversations/${first.body.conversation_id}`));
    const again = await postMail(channel, raw);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(await ok(workspace.api.get(`conversations/${first.body.conversation_id}`))).toEqual(before);
    expect(await messagesOf(workspace, first.body)).toHaveLength(1);
  });

  it('makes one message, contact and conversation of a mail that comes 32 times at once', async () => {
    const other = await newWorkspace();
    const hook = await emailChannel(other, smtp.port);
    const raw = rawMail({ from: `${unique('p')}@navy.example` });
    const bodies: Json[] = [];
    const post = async () => {
      const answer = await postMail(hook, raw);
      bodies.push(answer.body);
      return answer;
    };
    expect(await thirtyTwo(post)).toEqual([...Array(31).fill(200), 201]);
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expect(await countsOf(other)).toEqual([1, 1, 1]);
  });

  it('stops machines that answer each other after 50 automatic replies to a conversation', async () => {
    const id = newMessageId();
    const { conversation_id } = await ok(postMail(channel, rawMail({ id })));
    const reply = () =>
      postMail(channel, rawMail({ inReplyTo: id, headers: ['Auto-Submitted: auto-replied'] }));
    for (let nr = 0; nr < 50; nr++) expect((await reply()).status).toBe(201);
    const stopped = await reply();
    expect([stopped.status, stopped.body]).toEqual([
      202,
      { status: 'auto_reply_loop', bounce_id: null, message_id: null },
    ]);
    expect((await postMail(channel, rawMail({ inReplyTo: id }))).status).toBe(201);
    expect(await messagesOf(workspace, { conversation_id })).toHaveLength(52);
  });

  it('keeps automatic mails of one sender that answer nothing in the conversation that the first one opened', async () => {
    const other = await newWorkspace();
    const hook = await emailChannel(other, smtp.port);
    const away = (from: string, fields: object = {}) =>
      postMail(hook, rawMail({ from, headers: ['Auto-Submitted: auto-replied'], ...fields }));
    const asked = await ok(postMail(hook, rawMail({ from: 'ada@navy.example' })));
    const all = await Promise.all(Array.from({ length: 60 }, () => away('ada@navy.example')));
    expect(all.map(({ status }) => status)).toEqual(Array(60).fill(201));
    const [first, ...others] = new Set(all.map(({ body }) => body.conversation_id));
    expect(others).toEqual([]);
    const elsewhere = [
      asked,
      await ok(away('bob@navy.example')),
      await ok(away('ada@navy.example', { inReplyTo: newMessageId() })),
      await ok(away('ada@navy.example', { date: 'Fri, 02 Jan 2026 03:04:05 +0000' })),
      await ok(postMail(hook, rawMail({ from: 'ada@navy.example' }))),
    ].map(({ conversation_id }) => conversation_id);
    expect(new Set([first, ...elsewhere]).size).toBe(6);
    expect(await messagesOf(other, { conversation_id: first })).toHaveLength(60);
  });

  it('records a mail again in another organization', async () => {
    const raw = rawMail();
    await ok(postMail(channel, raw));
    const other = await newWorkspace();
    expect((await postMail(await emailChannel(other, smtp.port), raw)).status).toBe(201);
  });

  it('knows the mail that it has sent itself when a copy comes in', async () => {
    const sent = await sentReply();
    const id = `<${sent.email_metadata.email_message_id.replace(/[<>]/g, '')}>`;
    const copy = await postMail(channel, rawMail({ from: channel.from_address, id }));
    expect([copy.status, copy.body.message_id]).toEqual([200, sent.message_id]);
  });

  it.each([
    ['In-Reply-To', (id: string) => ({ inReplyTo: id })],
    ['References', (id: string) => ({ references: `<unknown@x.example> ${id}` })],
    ['In-Reply-To with a comment', (id: string) => ({ inReplyTo: `${id} (your mail of Monday)` })],
  ])('adds a mail to the conversation that its %s names', async (_, fields) => {
    const id = newMessageId();
    const first = await ok(postMail(channel, rawMail({ id })));
    const second = await ok(postMail(channel, rawMail({ from: 'someone@else.example', ...fields(id) })));
    expect(second.conversation_id).toBe(first.conversation_id);
  });

  it('adds the answer to a reply of ours to its conversation and makes that unread', async () => {
    const sent = await sentReply();
    const inReplyTo = smtp.mails.at(-1)!.messageId;
    const answer = await ok(postMail(channel, rawMail({ inReplyTo })));
    expect(answer.conversation_id).toBe(sent.conversation_id);
    expect(await ok(workspace.api.get(`conversations/${sent.conversation_id}`))).toMatchObject({
      is_read: false,
    });
  });

  it('opens a new conversation for a mail that answers nothing known, even from a known contact', async () => {
    const from = `${unique('p')}@navy.example`;
    const first = await ok(postMail(channel, rawMail({ from })));
    const second = await ok(postMail(channel, rawMail({ from: from.toUpperCase() })));
    expect(second.conversation_id).not.toBe(first.conversation_id);
    const [one, two] = await Promise.all(
      [first, second].map(({ conversation_id }) => ok(workspace.api.get(`conversations/${conversation_id}`))),
    );
    expect(two.contact_id).toBe(one.contact_id);
  });

  it.each([
    ['has no sender', rawMail({ from: 'undisclosed' })],
    ['has no headers but a subject', Buffer.from('Subject: only this\r\n\r\ntext\r\n')],
    ['has a date from the future', rawMail({ date: 'Mon, 30 Jun 3609 15:33:50 +0600' })],
    ['has a date nobody can read', rawMail({ date: 'the day before yesterday' })],
    ['is not a mail at all', Buffer.from([...Array(256).keys()])],
    ['holds NUL and lone surrogates', rawMail({ subject: 'a\0b', body: 'x\0y =\u{D800}' })],
    ['has a Message-ID of 9,000 characters', rawMail({ id: `<${incompressible(9_000)}@x.example>` })],
    ['has a sender of 9,000 characters', rawMail({ from: `${incompressible(9_000)}@x.example` })],
    ['has 40,000 references', rawMail({ references: manyIds(40_000).join('\n ') })],
    ['has a subject of 100,000 characters', rawMail({ subject: incompressible(100_000) })],
  ])('takes a mail that %s', async (_, raw) => {
    const first = await postMail(channel, raw);
    expect(first.status).toBe(201);
    expect((await postMail(channel, raw)).status).toBe(200);
    expect(await messagesOf(workspace, first.body)).toEqual([first.body]);
  });

  it('keeps the first million characters of a text that is longer', async () => {
    const answer = await postMail(channel, rawMail({ body: 'größer '.repeat(500_000) }));
    expect(answer.status).toBe(201);
    expect(answer.body.content).toBe('größer '.repeat(500_000).slice(0, 1_000_000));
  });

  it('takes a mail of 24 MiB whose size is in an attachment', async () => {
    const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="b"'];
    const attachment = `${'QUJDREVG'.repeat(9)}\n`.repeat((24 * MIB) / 74);
    const body = [
      '--b',
      'Content-Type: text/plain',
      '',
      'see attachment',
      '--b',
      'Content-Type: application/pdf',
      'Content-Transfer-Encoding: base64',
      'Content-Disposition: attachment',
      '',
      attachment,
      '--b--',
    ].join('\n');
    const answer = await postMail(channel, rawMail({ headers, body }));
    expect([answer.status, answer.body.content]).toEqual([201, 'see attachment']);
  });

  it('refuses a mail over 25 MiB with 413', async () => {
    const raw = rawMail({ body: 'x'.repeat(25 * MIB) });
    expectProblem(await postMail(channel, raw), 413, 'body_too_large');
  });

  it('refuses a compressed mail with 415', async () => {
    const headers = { ...RFC822, 'content-encoding': 'gzip' };
    expectProblem(await send(hookOf(channel), rawMail(), headers), 415, 'unsupported_media_type');
  });

  it('refuses an empty body with 400', async () =>
    expectProblem(await send(hookOf(channel), '', RFC822), 400, 'validation_failed'));

  it('refuses with 400 what defeats the parser, a mail of 1,100 parts', async () => {
    const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="b"'];
    const body = `${'--b\nContent-Type: text/plain\n\nx\n'.repeat(1_100)}--b--`;
    expectProblem(await postMail(channel, rawMail({ headers, body })), 400, 'validation_failed');
  });

  it('refuses a wrong token, none, and that of another channel with 401', async () => {
    const other = await emailChannel(await newWorkspace(), smtp.port);
    const [path] = hookOf(channel).split('?');
    const token = new URL(other.hooks.email).searchParams.get('token')!;
    for (const query of ['', '?token=', '?token=wrong', `?token=${token}`])
      expectProblem(await send(`${path}${query}`, rawMail(), RFC822), 401, 'unauthorized');
  });

  it('refuses a wrong token before the mail is there', async () => {
    const { host, hostname, port } = new URL(sharedUrl());
    const stranger = connect(Number(port), hostname);
    const [path] = hookOf(channel).split('?');
    stranger.write(
      `POST ${path}?token=wrong HTTP/1.1\r\nHost: ${host}\r\nContent-Type: message/rfc822\r\nContent-Length: ${24 * MIB}\r\n\r\nFrom:`,
    );
    const [answer] = (await once(stranger, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
    stranger.destroy();
  });

  it('refuses a channel that does not exist, or does no longer, with 401', async () => {
    const other = await newWorkspace();
    const removed = await emailChannel(other, smtp.port);
    expect((await other.adminApi.delete('channels/email')).status).toBe(204);
    const path = hookOf(channel);
    expectProblem(
      await send(path.replace(/channel_\w+/, 'nonsense'), rawMail(), RFC822),
      401,
      'unauthorized',
    );
    expectProblem(await postMail(removed, rawMail()), 401, 'unauthorized');
  });

  it('answers other methods with 405', async () => {
    const answer = await new Client(workspace.api.url, '').get(hookOf(channel));
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toContain('POST');
  });
});

describe('a person with an address beyond ASCII', () => {
  it('is one contact, whichever way and in whatever spelling the address comes', async () => {
    const { api } = workspace;
    const host = `münchen-${unique('m')}.example`;
    const spelt = [host, host.toUpperCase(), host.normalize('NFD'), new URL(`http://${host}`).hostname];
    const emails = spelt.flatMap((domain) => [`josé@${domain}`, `JOSE\u0301@${domain}`]);
    const { contact_id } = await ok(api.post('contacts', { email: emails[0] }));
    for (const email of emails) {
      const recorded = [
        await ok(received(api, { modality: 'email', contact: { email } })),
        await ok(postMail(channel, rawMail({ from: email }))),
      ];
      for (const { conversation_id } of recorded)
        expect((await ok(api.get(`conversations/${conversation_id}`))).contact_id).toBe(contact_id);
      const { data } = await ok(api.get('contacts', { email }));
      expect(data).toMatchObject([{ contact_id, email: emails[0] }]);
    }
  });
});

describe('a copy of a mail of ours', () => {
  const copied = async (raw: string) => {
    const { status, body } = await postMail(channel, Buffer.from(raw));
    return [status, body.status ?? body.message_direction];
  };

  it('is the message that was sent, and none while it is being sent', async () => {
    let early: unknown;
    smtp.respond.data = async ({ raw }) => {
      if (early) return undefined;
      early = await copied(raw);
      return 'drop';
    };
    const question = await ok(postMail(channel, rawMail()));
    const draft = await ok(
      workspace.api.post(draftsOf(question), autosend({ bcc_emails: ['sales@acme.example'] })),
    );
    await promotedMessage(workspace, draft);
    delete smtp.respond.data;
    expect(early).toEqual([202, 'own_mail']);
    expect(await copied(smtp.mails.at(-1)!.raw)).toEqual([200, 'sent']);
  });
});

describe('a bounce', () => {
  it('is answered with 202, tied to the sent message it is about, and makes no message', async () => {
    const recipient = `${unique('gone')}@navy.example`;
    const sent = await sentReply(recipient);
    const before = await conversationsOf(workspace);
    const answer = await postMail(channel, bounceOf(smtp.mails.at(-1)!.messageId!, recipient));
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ status: expect.any(String), message_id: sent.message_id });
    expect(await messagesOf(workspace, sent)).toHaveLength(2);
    expect(await conversationsOf(workspace)).toEqual(before);
  });

  it('is answered the same when it comes again', async () => {
    const sent = await sentReply();
    const raw = bounceOf(smtp.mails.at(-1)!.messageId!, 'grace@navy.example');
    const answers = [await postMail(channel, raw), await postMail(channel, raw)];
    expect(answers[1]!.status).toBe(202);
    expect(answers[1]!.body).toEqual(answers[0]!.body);
    expect(answers[0]!.body.message_id).toBe(sent.message_id);
  });

  it('about a mail that is not ours is answered with 202 and makes no message', async () => {
    const before = await conversationsOf(workspace);
    const answer = await postMail(channel, bounceOf('<unknown@x.example>', 'grace@navy.example'));
    expect([answer.status, answer.body.message_id]).toEqual([202, null]);
    expect(await conversationsOf(workspace)).toEqual(before);
  });

  it('is not tied to a message of another organization', async () => {
    await sentReply();
    const raw = bounceOf(smtp.mails.at(-1)!.messageId!, 'grace@navy.example');
    const other = await emailChannel(await newWorkspace(), smtp.port);
    const answer = await postMail(other, raw);
    expect([answer.status, answer.body.message_id]).toEqual([202, null]);
  });

  it('is not tied to a mail that was received', async () => {
    const id = newMessageId();
    await ok(postMail(channel, rawMail({ id })));
    expect((await postMail(channel, bounceOf(id, 'grace@navy.example'))).body.message_id).toBeNull();
  });
});

describe('an automatic reply', () => {
  it.each(['Auto-Submitted: auto-replied', 'X-Autoreply: yes', 'Precedence: auto_reply'])(
    'is recorded as a received message (%s)',
    async (header) => {
      const id = newMessageId();
      const first = await ok(postMail(channel, rawMail({ id })));
      const answer = await postMail(channel, rawMail({ inReplyTo: id, headers: [header] }));
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({
        conversation_id: first.conversation_id,
        message_direction: 'received',
        is_auto_reply: true,
      });
      expect(await ok(workspace.api.get(`conversations/${first.conversation_id}`))).toMatchObject({
        is_read: false,
        last_activity_at: answer.body.sent_at,
      });
    },
  );

  it('is not what a person writes', async () => {
    const headers = ['Auto-Submitted: no', 'Precedence: bulk'];
    expect((await ok(postMail(channel, rawMail({ headers })))).is_auto_reply).toBe(false);
  });
});

describe('the SMTP listener', () => {
  let server: Server;
  let port: number;
  let receiver: Workspace;
  let address: string;

  beforeAll(async () => {
    port = await freePort();
    const dataDir = readyDataDir();
    const [INBOUND_SMTP_TLS_CERT, INBOUND_SMTP_TLS_KEY] = [join(dataDir, 'mx.crt'), join(dataDir, 'mx.key')];
    writeFileSync(INBOUND_SMTP_TLS_CERT, CERTIFICATE);
    writeFileSync(INBOUND_SMTP_TLS_KEY, CERTIFICATE_KEY);
    const env = {
      INBOUND_SMTP_PORT: String(port),
      INBOUND_SMTP_TLS_CERT,
      INBOUND_SMTP_TLS_KEY,
      INBOUND_AUTHSERV_ID: 'mx.acme.example',
    };
    server = await startServer({ dataDir, env });
    receiver = await newWorkspace({ url: server.url });
    address = (await emailChannel(receiver, smtp.port)).from_address;
  });

  afterAll(async () => {
    await server.stop();
    removeDataDir(server.dataDir);
  });

  /** Hands mail to the listener as another mail server would; throws what it refuses with. */
  const deliver = (to: string[], raw: Buffer, from = 'grace@navy.example') =>
    nodemailer
      .createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true })
      .sendMail({ envelope: { from, to }, raw });

  const messages = async (workspace: Workspace): Promise<Json[]> =>
    (await Promise.all((await conversationsOf(workspace)).map((one) => messagesOf(workspace, one)))).flat();

  it('records a mail in the organization whose channel has the recipient as its address, in any case', async () => {
    const before = (await messages(receiver)).length;
    await deliver([address.toUpperCase()], rawMail({ subject: 'over SMTP', body: '.\n..two dots' }));
    const [message] = await messages(receiver);
    expect(message).toMatchObject({ subject: 'over SMTP', message_direction: 'received', modality: 'email' });
    expect(message.content).toBe('.\n..two dots');
    expect(await messages(receiver)).toHaveLength(before + 1);
  });

  it.each(['Bücher', 'xn--bcher-kva'])(
    'finds a channel at a domain beyond ASCII, set as %s',
    async (name) => {
      const other = await newWorkspace({ url: server.url });
      const domain = `${unique('m')}.example`;
      await emailChannel(other, smtp.port, { from_address: `Sales@${name}.${domain}` });
      await deliver([`sales@xn--bcher-kva.${domain}`], rawMail({ subject: 'Bücher' }));
      expect((await messages(other)).map(({ subject }) => subject)).toEqual(['Bücher']);
    },
  );

  it('shows what the receiving server named by INBOUND_AUTHSERV_ID says of the sender, and no other', async () => {
    const headers = ['mx.evil.example; dkim=pass', 'mx.acme.example; spf=pass; dmarc=fail'].map(
      (result) => `Authentication-Results: ${result}`,
    );
    await deliver([address], rawMail({ subject: 'who is it', headers }));
    const message = (await messages(receiver)).find(({ subject }) => subject === 'who is it');
    expect(message?.email_metadata.authentication).toEqual({ spf: 'pass', dkim: null, dmarc: 'fail' });
  });

  it('takes a mail over TLS with the certificate it was given', async () => {
    const transport = nodemailer.createTransport({
      host: '127.0.0.1',
      port,
      secure: false,
      requireTLS: true,
      tls: { ca: CERTIFICATE, servername: 'mx.acme.example' },
    });
    await transport.sendMail({ envelope: { from: '', to: [address] }, raw: rawMail({ subject: 'sealed' }) });
    expect((await messages(receiver)).map(({ subject }) => subject)).toContain('sealed');
  });

  it('makes one message, contact and conversation of a mail that comes 32 times at once', async () => {
    const other = await newWorkspace({ url: server.url });
    const { from_address } = await emailChannel(other, smtp.port);
    const raw = rawMail();
    await Promise.all(Array.from({ length: 32 }, () => deliver([from_address], raw)));
    expect(await countsOf(other)).toEqual([1, 1, 1]);
  });

  it('refuses an unknown recipient at RCPT with 550', async () => {
    const refused = deliver(['nobody@acme.example'], rawMail());
    await expect(refused).rejects.toMatchObject({ responseCode: 550, command: 'RCPT TO' });
  });

  it('takes a mail for the known recipients when others are unknown', async () => {
    const { accepted, rejected } = await deliver(['nobody@acme.example', address], rawMail());
    expect([accepted, rejected]).toEqual([[address], ['nobody@acme.example']]);
  });

  it('refuses a mail with 451 whose channel is removed or gets another address after RCPT', async () => {
    const other = await newWorkspace({ url: server.url });
    for (const change of [
      () => other.adminApi.delete('channels/email'),
      () => emailChannel(other, smtp.port),
    ]) {
      const { from_address } = await emailChannel(other, smtp.port);
      // A connection alone reads its mail first when DATA was answered; a transport reads ahead.
      const connection = new SMTPConnection({ host: '127.0.0.1', port, ignoreTLS: true });
      await promisify((done: () => void) => connection.connect(done))();
      const raw = Readable.from(
        (async function* () {
          await change();
          yield rawMail();
        })(),
      );
      const sent = promisify(connection.send.bind(connection))({ from: '', to: [from_address] }, raw);
      await expect(sent).rejects.toMatchObject({ responseCode: 451, command: 'DATA' });
      connection.close();
    }
    expect(await messages(other)).toEqual([]);
  });

  it('records a mail for two organizations in both', async () => {
    const other = await newWorkspace({ url: server.url });
    const { from_address } = await emailChannel(other, smtp.port);
    await deliver([address, from_address], rawMail({ subject: 'for both' }));
    expect((await messages(other)).map(({ subject }) => subject)).toEqual(['for both']);
    expect((await messages(receiver)).map(({ subject }) => subject)).toContain('for both');
  });

  it('accepts a mail that comes again and records it once', async () => {
    const raw = rawMail({ subject: 'twice' });
    await deliver([address], raw);
    await deliver([address], raw);
    expect((await messages(receiver)).filter(({ subject }) => subject === 'twice')).toHaveLength(1);
  });

  it('takes a bounce with its null reverse path and makes no message of it', async () => {
    const before = await messages(receiver);
    await deliver([address], bounceOf('<unknown@x.example>', 'grace@navy.example'), '');
    expect(await messages(receiver)).toEqual(before);
  });

  it('refuses a mail over 25 MiB with 552', async () => {
    const refused = deliver([address], rawMail({ body: 'x'.repeat(25 * MIB) }));
    await expect(refused).rejects.toMatchObject({ responseCode: 552 });
  });

  it('keeps a process that is to end from waiting for servers that only stay connected', async () => {
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'data');
    await server.stop();
    expect(server.output()).not.toContain('ended before everything was closed');
    idle.destroy();
  });
});

function manyIds(count: number): string[] {
  return Array.from({ length: count }, (_, nr) => `<${nr}@x.example>`);
}

/** Letters that do not repeat, so that nothing can make them shorter. */
function incompressible(length: number): string {
  let state = length;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return 'abcdefghijklmnopqrstuvwxyz0123456789'[(state >> 8) % 36];
  }).join('');
}
