import type { ParsedMail } from 'mailparser';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/client.js';
import { autosend, draftsOf, newMessageId, postMail, promotedMessage, rawMail } from '../support/mail.js';
import { firstMessage, openedBy } from '../support/message-drafts.js';
import { received } from '../support/records.js';
import { startSmtp, type TestSmtp } from '../support/smtp.js';

let smtp: TestSmtp;
let workspace: Workspace;
let channel: Json;

beforeEach(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, smtp.port);
});

afterEach(() => smtp.close());

/** Writes first; gives the message, and its Message-ID with angle brackets. */
async function written(): Promise<{ message: Json; id: string }> {
  const { message } = await openedBy(
    workspace,
    await ok(workspace.api.post('message-drafts', firstMessage())),
  );
  return { message, id: `<${message.email_metadata.email_message_id}>` };
}

/** Replies in the conversation of a message; gives what the server received. */
async function repliedTo(message: Json): Promise<ParsedMail> {
  const before = smtp.mails.length;
  await promotedMessage(workspace, await ok(workspace.api.post(draftsOf(message), autosend())));
  return (await smtp.waitFor(before + 1))[before]!.parsed;
}

describe('an answer by e-mail', () => {
  it('comes after what it answers within the same second, though its Date tells only the second', async () => {
    const { message, id } = await written();
    const { conversation_id } = message;
    const date = new Date().toUTCString();
    const answer = await ok(postMail(channel, rawMail({ inReplyTo: id, date })));
    expect(answer.conversation_id).toBe(conversation_id);
    expect(answer.sent_at > message.sent_at).toBe(true);
    expect(await ok(workspace.api.get(`conversations/${conversation_id}`))).toMatchObject({
      is_read: false,
      start_at: message.sent_at,
      last_activity_at: answer.sent_at,
    });
  });
});

describe('a reply by e-mail', () => {
  it('to nobody yet follows up on the mail that was sent', async () => {
    const { message, id } = await written();
    const first = await repliedTo(message);
    expect(first).toMatchObject({ subject: 'Re: Your renewal', inReplyTo: id, references: id });
    const second = await repliedTo(message);
    expect(second).toMatchObject({
      subject: 'Re: Your renewal',
      inReplyTo: first.messageId,
      references: [id, first.messageId],
    });
  });

  it('to a mail without Message-ID and subject takes both from the mail before it', async () => {
    const { message, id } = await written();
    const { conversation_id } = message;
    await ok(received(workspace.api, { conversation_id, modality: 'email' }));
    expect(await repliedTo(message)).toMatchObject({
      subject: 'Re: Your renewal',
      inReplyTo: id,
      references: id,
    });
  });

  it('to a mail without a subject goes on in its thread under the last subject there was', async () => {
    const { message, id } = await written();
    const answer = newMessageId();
    await ok(postMail(channel, rawMail({ id: answer, inReplyTo: id, subject: '' })));
    expect(await repliedTo(message)).toMatchObject({ subject: 'Re: Your renewal', inReplyTo: answer });
  });

  it('to a mail with a subject of its own keeps that, wherever its thread is taken from', async () => {
    const { message, id } = await written();
    const { conversation_id } = message;
    await ok(received(workspace.api, { conversation_id, modality: 'email', subject: 'Another thing' }));
    expect(await repliedTo(message)).toMatchObject({ subject: 'Re: Another thing', inReplyTo: id });
  });

  it('refers to the one mail that the answered one answers, where that has no references', async () => {
    const [root, id] = [newMessageId(), newMessageId()];
    const message = await ok(postMail(channel, rawMail({ id, inReplyTo: root, subject: 'Renewal' })));
    expect(await repliedTo(message)).toMatchObject({ inReplyTo: id, references: [root, id] });
  });

  it.each(['<>', 'a b@x.example', 'a@x.example\r\nBcc: b@x.example'])(
    'names no mail by %j, which is no Message-ID',
    async (email_message_id) => {
      const contact = { name: 'Grace', email: 'grace@navy.example' };
      const mail = { contact, modality: 'email', email_metadata: { email_message_id } };
      const message = await ok(received(workspace.api, mail));
      const reply = await repliedTo(message);
      expect([reply.inReplyTo, reply.references]).toEqual([undefined, undefined]);
    },
  );
});
