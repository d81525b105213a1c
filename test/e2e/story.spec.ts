import {
  type Answer,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { autosend, draftsOf, messagesOf, postMail, promotedMessage, rawMail } from '../support/data/mail.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { type ReceivedMail, startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { verify } from '../support/server/verify.js';

const QUESTION_ID = '<question-1@navy.example>';
const EARLIER_ID = '<earlier-1@acme.example>';

describe('a conversation by e-mail, from the first mail in to the reply out', () => {
  const sender = `${unique('grace')}@navy.example`;
  // Of its own: other files write rows past the product, which verify would find.
  let server: Server;
  let smtp: TestSmtp;
  let workspace: Workspace;
  let channel: Json;
  let arrival: Answer;
  let saving: Answer;
  let mail: ReceivedMail;
  let reply: Json;
  let audit: Json[];

  const route = () => `${draftsOf(arrival.body)}/${saving.body.response_id}`;

  beforeAll(async () => {
    [smtp, server] = await Promise.all([startSmtp(), startServer()]);
    workspace = await newWorkspace({ url: server.url });
    channel = await emailChannel(workspace, smtp.port, { from_name: 'Acme Sales' });
    const raw = rawMail({
      from: `Grace Hopper <${sender}>`,
      to: channel.from_address,
      subject: 'Blue =?utf-8?Q?caf=C3=A9?= chairs',
      id: QUESTION_ID,
      references: EARLIER_ID,
      date: 'Fri, 02 Jan 2026 04:04:05 +0100',
    });
    arrival = await postMail(channel, raw, server.url);
    saving = await workspace.api.post(
      draftsOf(arrival.body),
      autosend({
        body_html: '<p>Yes, <b>we</b> do: <a href="https://acme.example/blue">here</a>.</p>',
        cc_emails: ['boss@navy.example'],
        bcc_emails: ['archive@acme.example'],
      }),
    );
    [mail] = (await smtp.waitFor(1)) as [ReceivedMail];
    reply = await promotedMessage(workspace, saving.body);
    audit = (await ok(workspace.api.get('audit-logs'))).data.toReversed();
  });

  afterAll(async () => {
    await smtp.close();
    await server.stop();
    removeDataDir(server.dataDir);
  });

  it('records a mail that comes in as a message, its contact and its conversation', async () => {
    expect(arrival.status).toBe(201);
    expect(arrival.body).toMatchObject({
      modality: 'email',
      message_direction: 'received',
      subject: 'Blue café chairs',
      content: 'Do you have it in blue?',
      sent_at: '2026-01-02T03:04:05.000000Z',
      agent_id: null,
    });
    const { conversation_id, message_id } = arrival.body;
    expect(await ok(workspace.api.get(`conversations/${conversation_id}/messages/${message_id}`))).toEqual(
      arrival.body,
    );
    const conversation = await ok(workspace.api.get(`conversations/${conversation_id}`));
    expect(conversation.start_at).toBe('2026-01-02T03:04:05.000000Z');
    expect(await ok(workspace.api.get(`contacts/${conversation.contact_id}`))).toMatchObject({
      name: 'Grace Hopper',
      email: sender,
    });
  });

  it('queues a reply with autosend and answers before it has left', () => {
    expect(saving.status).toBe(201);
    expect(saving.body).toEqual({
      response_id: expect.stringMatching(/^response_/),
      conversation_id: arrival.body.conversation_id,
      scheduled_to_send: true,
      scheduled_send_at: expect.stringMatching(/Z$/),
    });
  });

  it('sends the reply once, under the mail it answers', () => {
    expect(smtp.seen).toHaveLength(1);
    expect(mail.parsed.subject).toBe('Re: Blue café chairs');
    expect(mail.parsed.inReplyTo).toBe(QUESTION_ID);
    expect(mail.parsed.references).toEqual([EARLIER_ID, QUESTION_ID]);
    expect(mail.parsed.from?.value).toEqual([{ name: 'Acme Sales', address: channel.from_address }]);
  });

  it('names recipients and cc in the header, bcc recipients in the envelope alone', () => {
    expect([...mail.to].sort()).toEqual([sender, 'archive@acme.example', 'boss@navy.example'].sort());
    expect([mail.parsed.to].flat()[0]?.value).toEqual([{ name: 'Grace Hopper', address: sender }]);
    expect([mail.parsed.cc].flat()[0]?.text).toBe('boss@navy.example');
    expect(mail.raw).not.toMatch(/^bcc:/im);
    expect(mail.raw).not.toContain('archive@acme.example');
  });

  it('gives the HTML of the reply a text alternative', () => {
    expect(mail.parsed.html).toContain('<b>we</b>');
    expect(mail.raw).toMatch(/content-type: multipart\/alternative/i);
    expect(mail.raw.indexOf('text/plain')).toBeLessThan(mail.raw.indexOf('text/html'));
    expect(mail.parsed.text).toMatch(/^Yes, we do: here/);
  });

  it('makes the reply a sent message of the conversation, under the Message-ID that it left with', async () => {
    expect(reply).toMatchObject({
      conversation_id: arrival.body.conversation_id,
      message_direction: 'sent',
      modality: 'email',
      agent_id: workspace.agentId,
      subject: 'Re: Blue café chairs',
      email_metadata: { cc_emails: ['boss@navy.example'], bcc_emails: ['archive@acme.example'] },
    });
    expect(`<${reply.email_metadata.email_message_id.replace(/^<|>$/g, '')}>`).toBe(mail.messageId);
    expect((await messagesOf(workspace, arrival.body)).map(({ message_id }) => message_id)).toEqual([
      reply.message_id,
      arrival.body.message_id,
    ]);
  });

  it('marks the conversation read and moves its last activity to the reply', async () => {
    expect(await ok(workspace.api.get(`conversations/${arrival.body.conversation_id}`))).toMatchObject({
      is_read: true,
      start_at: arrival.body.sent_at,
      last_activity_at: reply.sent_at,
    });
  });

  it.each(['get', 'delete'] as const)(
    'answers a %s of the promoted draft with 404 and a hint whose route works',
    async (method) => {
      const { status, body } = await workspace.api[method](route());
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'draft_promoted', hint: { method: 'GET' } });
      expect(await ok(workspace.api.get(body.hint.route))).toEqual(reply);
    },
  );

  it('keeps no draft in the list', async () => {
    expect((await ok(workspace.api.get(draftsOf(arrival.body)))).data).toEqual([]);
  });

  it('has each step in the audit log, in order, with its values before and after', async () => {
    const { conversation_id } = arrival.body;
    const conversation = { type: 'conversation', id: conversation_id };
    const draft = { type: 'response_draft', id: saving.body.response_id };
    const written = {
      response_id: saving.body.response_id,
      conversation_id,
      body_html: expect.stringContaining('<b>we</b>'),
      recipient_name: 'Grace Hopper',
      recipient_email: sender,
      cc_emails: ['boss@navy.example'],
      bcc_emails: ['archive@acme.example'],
      scheduled_send_at: saving.body.scheduled_send_at,
      created_at: expect.any(String),
    };
    const { contact_id } = await ok(workspace.api.get(`conversations/${conversation_id}`));
    expect(audit.map(({ record, action_type, agent_id }) => ({ record, action_type, agent_id }))).toEqual([
      { record: conversation, action_type: 'insert', agent_id: null },
      { record: draft, action_type: 'insert', agent_id: workspace.agentId },
      { record: draft, action_type: 'delete', agent_id: null },
      { record: conversation, action_type: 'update', agent_id: null },
    ]);
    const [opened, drafted, deleted, answered] = audit.map(({ changes }) => changes);
    expect(sides(opened, 'to')).toEqual({
      conversation_id,
      contact_id,
      start_at: arrival.body.sent_at,
      last_activity_at: arrival.body.sent_at,
      is_read: false,
      status: 'open',
      tags: [],
    });
    expect(Object.values(sides(opened, 'from')).every((value) => value === null)).toBe(true);
    expect(sides(drafted, 'to')).toEqual(written);
    expect(sides(deleted, 'from')).toEqual(written);
    expect(Object.values(sides(deleted, 'to')).every((value) => value === null)).toBe(true);
    expect(answered).toHaveLength(2);
    expect(answered).toEqual(
      expect.arrayContaining([
        { field: 'last_activity_at', from: arrival.body.sent_at, to: reply.sent_at },
        { field: 'is_read', from: false, to: true },
      ]),
    );
  });

  it('leaves rows that are exactly what the events say', async () => {
    const output = await verify(server.dataDir);
    for (const model of ['contact', 'conversation', 'draft', 'audit', 'analytics'])
      expect(output).toContain(`${model}: as the events say`);
    expect(output).not.toContain('DIFFERS');
  });
});

/** The values before, or after, by field. */
const sides = (changes: Json[], side: 'from' | 'to'): Record<string, unknown> =>
  Object.fromEntries(changes.map((change) => [change.field, change[side]]));
