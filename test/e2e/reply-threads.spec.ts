import type { ParsedMail } from 'mailparser';
import {
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import {
  autosend,
  draftsOf,
  type MailFields,
  newMessageId,
  postMail,
  promotedMessage,
  rawMail,
} from '../support/data/mail.js';
import { firstMessage, openedBy } from '../support/data/message-drafts.js';
import { received } from '../support/data/records.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';

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
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toUTCString();
  const justAfter = ({ sent_at }: Json) =>
    `${sent_at.slice(0, 20)}${String(Number(sent_at.slice(20, 26)) + 1).padStart(6, '0')}Z`;

  it.each([
    ['ten minutes slow', ago(600)],
    ['five hours slow, without a zone', ago(18_000).replace(' GMT', '')],
    ['of a clock that was never set', 'Thu, 01 Jan 1970 00:00:07 +0000'],
    ['before all mail', 'Sun, 31 Dec 1899 10:00:00 +0000'],
    ['that says nothing', 'yesterday'],
    ['that is not there', undefined],
  ])('is dated just after the mail of ours that it answers by a Date %s', async (_, date) => {
    const { message, id } = await written();
    const { conversation_id } = message;
    const answer = await ok(postMail(channel, rawMail({ inReplyTo: id, date })));
    expect(answer).toMatchObject({ conversation_id, sent_at: justAfter(message) });
    expect(await ok(workspace.api.get(`conversations/${conversation_id}`))).toMatchObject({
      is_read: false,
      start_at: message.sent_at,
      last_activity_at: answer.sent_at,
    });
  });

  it('is dated so when the last of its References alone names that mail', async () => {
    const { message, id } = await written();
    for (const references of [id, `${newMessageId()} ${id}`]) {
      const answer = await ok(postMail(channel, rawMail({ references, date: ago(600) })));
      expect(answer.conversation_id).toBe(message.conversation_id);
      expect(answer.sent_at).toBe(justAfter(message));
    }
  });

  it('is followed by the next with a slow clock in the order of arrival', async () => {
    const { message, id } = await written();
    const first = await ok(postMail(channel, rawMail({ inReplyTo: id, date: ago(600) })));
    const second = await ok(postMail(channel, rawMail({ inReplyTo: id, date: ago(900) })));
    const listed = await ok(workspace.api.get(`conversations/${message.conversation_id}/messages`));
    expect(listed.data.map((one: Json) => one.message_id)).toEqual(
      [second, first, message].map(({ message_id }) => message_id),
    );
  });

  it('with a slow clock comes after a mail of ours that is still being sent', async () => {
    const id = newMessageId();
    const question = await ok(postMail(channel, rawMail({ id })));
    let answer: Json;
    smtp.respond.data = async ({ messageId: inReplyTo }) => {
      answer ??= await ok(postMail(channel, rawMail({ inReplyTo, references: id, date: ago(600) })));
      return undefined;
    };
    const reply = await promotedMessage(
      workspace,
      await ok(workspace.api.post(draftsOf(question), autosend())),
    );
    expect(answer).toMatchObject({ sent_at: justAfter(reply), conversation_id: question.conversation_id });
  });

  it('keeps the time that a caller gives, and that of a mail that answers none of ours', async () => {
    const { id } = await written();
    const sent_at = '2026-01-02T03:04:05.000000Z';
    const email_metadata = { in_reply_to: id };
    const contact = { email: 'grace@navy.example' };
    const given = { modality: 'email', contact, sent_at, email_metadata };
    expect(await ok(received(workspace.api, given))).toMatchObject({ sent_at });
    const date = 'Fri, 02 Jan 2026 03:04:05 +0000';
    const theirs = newMessageId();
    await ok(postMail(channel, rawMail({ id: theirs })));
    expect(await ok(postMail(channel, rawMail({ inReplyTo: theirs, date })))).toMatchObject({ sent_at });
    const references = `${id} ${theirs}`;
    expect(await ok(postMail(channel, rawMail({ references, date })))).toMatchObject({ sent_at });
    const named = { inReplyTo: theirs, references: id };
    expect(await ok(postMail(channel, rawMail({ ...named, date })))).toMatchObject({ sent_at });
  });

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

describe('a reply to a mail that names another address for replies', () => {
  const visitor = () => `${unique('jane')}@home.example`;
  /** A mail of a site's form, which is from the site and of the visitor. */
  const posted = (replyTo: string, fields: MailFields = {}): Promise<Json> => {
    const headers = [`Reply-To: ${replyTo}`];
    return ok(postMail(channel, rawMail({ from: 'Shop <form@shop.example>', headers, ...fields })));
  };
  const recipientsOf = async (message: Json): Promise<string[] | undefined> => {
    await repliedTo(message);
    return smtp.mails.at(-1)?.to;
  };

  it('goes there, and the message says so', async () => {
    const jane = visitor();
    const message = await posted(`"Jane" <${jane}>`);
    expect(message.email_metadata).toMatchObject({ reply_to: jane, reply_to_other_domain: true });
    const draft = await ok(workspace.api.post(draftsOf(message), { body_html: 'Soon.' }));
    expect(await ok(workspace.api.get(`${draftsOf(message)}/${draft.response_id}`))).toMatchObject({
      recipient_email: jane,
      recipient_name: null,
    });
    expect(await recipientsOf(message)).toEqual([jane]);
  });

  it('goes there when whoever reads there has answered in their own name, too', async () => {
    const jane = visitor();
    const message = await posted(jane);
    const { messageId } = await repliedTo(message);
    const answer = await ok(postMail(channel, rawMail({ from: jane, inReplyTo: messageId })));
    expect(answer.conversation_id).toBe(message.conversation_id);
    expect(await recipientsOf(answer)).toEqual([jane]);
  });

  const later = (first: Json, day: number, fields: object): Promise<Json> =>
    posted('', {
      inReplyTo: `<${first.email_metadata.email_message_id}>`,
      date: `${day} Jan 2026 12:00:00 +0000`,
      headers: [],
      ...fields,
    });

  it('goes back to whoever wrote the latest mail of a thread, or where that one wants it', async () => {
    const [ann, bob, desk] = [visitor(), visitor(), visitor()];
    const first = await posted('', { from: `Ann <${ann}>`, date: '1 Jan 2026 12:00:00 +0000', headers: [] });
    const second = await later(first, 2, { from: `Bob <${bob}>` });
    expect(second.conversation_id).toBe(first.conversation_id);
    const draft = await ok(workspace.api.post(draftsOf(first), { body_html: 'Soon.' }));
    expect(await ok(workspace.api.get(`${draftsOf(first)}/${draft.response_id}`))).toMatchObject({
      recipient_name: 'Bob',
      recipient_email: bob,
    });
    expect(await recipientsOf(second)).toEqual([bob]);
    await later(first, 3, { from: `Bob <${bob}>`, headers: [`Reply-To: ${desk}`] });
    expect(await recipientsOf(second)).toEqual([desk]);
    await later(first, 4, { from: `Ann <${ann}>` });
    await later(first, 5, { from: `Bob <${bob}>`, headers: ['Auto-Submitted: auto-replied'] });
    expect(await recipientsOf(second)).toEqual([ann]);
  });

  it('goes to whom the saved draft shows, though somebody else has written since', async () => {
    const [ann, bob] = [visitor(), visitor()];
    const first = await posted('', { from: `Ann <${ann}>`, date: '1 Jan 2026 12:00:00 +0000', headers: [] });
    const draft = await ok(workspace.api.post(draftsOf(first), { body_html: 'Soon.' }));
    await later(first, 2, { from: `Bob <${bob}>` });
    const path = `${draftsOf(first)}/${draft.response_id}`;
    expect(await ok(workspace.api.get(path))).toMatchObject({ recipient_name: 'Ann', recipient_email: ann });
    await ok(workspace.api.post(`${path}/send`));
    await promotedMessage(workspace, draft);
    expect(smtp.mails.at(-1)!.to).toEqual([ann]);
    expect(await recipientsOf(first)).toEqual([bob]);
  });

  it('goes where the latest mail came from, also once its writer is another contact or has another address', async () => {
    const [ann, anne] = [visitor(), visitor()];
    const message = await posted('', { from: `Ann <${ann}>`, headers: [] });
    const { contact_id } = await ok(workspace.api.get(`conversations/${message.conversation_id}`));
    await ok(workspace.api.patch(`contacts/${contact_id}`, { email: visitor() }));
    expect(await recipientsOf(message)).toEqual([ann]);
    const other = await ok(workspace.api.post('contacts', { name: 'Anne', email: anne }));
    await ok(workspace.api.post(`contacts/${other.contact_id}/merge`, { from_contact_id: contact_id }));
    expect(await recipientsOf(message)).toEqual([ann]);
  });

  it('goes where the latest mail came from when conversations are merged', async () => {
    const [ann, bob] = [visitor(), visitor()];
    const one = await posted('', { from: ann, date: '1 Jan 2026 12:00:00 +0000', headers: [] });
    const two = await posted('', { from: bob, date: '2 Jan 2026 12:00:00 +0000', headers: [] });
    const into = `conversations/${one.conversation_id}/merge`;
    await ok(workspace.api.post(into, { from_conversation_id: two.conversation_id }));
    expect(await recipientsOf(one)).toEqual([bob]);
  });

  it('goes to whoever wrote the latest mail when that names none, whichever came first', async () => {
    const first = await posted(visitor(), { date: 'Thu, 01 Jan 2026 12:00:00 +0000' });
    const inReplyTo = `<${first.email_metadata.email_message_id}>`;
    await posted('', { inReplyTo, headers: [], date: 'Fri, 02 Jan 2026 12:00:00 +0000' });
    await posted(visitor(), { inReplyTo, date: 'Thu, 01 Jan 2026 13:00:00 +0000' });
    expect(await recipientsOf(first)).toEqual(['form@shop.example']);
  });

  it.each([
    ['our own', () => channel.from_address.toUpperCase()],
    ['our own with a tag', () => channel.from_address.replace('@', '+shop@')],
  ])('goes where it came from when that is %s, which the message shows as received', async (_, replyTo) => {
    const message = await posted(replyTo());
    expect(message.email_metadata).toMatchObject({ reply_to: replyTo() });
    expect(await recipientsOf(message)).toEqual(['form@shop.example']);
  });

  it('goes where it came from when that names nobody', async () => {
    const message = await posted('nobody at home');
    expect(message.email_metadata).not.toHaveProperty('reply_to');
    expect(await recipientsOf(message)).toEqual(['form@shop.example']);
  });

  const own = () => channel.from_address;
  const OWN = 'Help <OWN>';
  it.each([
    ['a list that names us first', 'Ann via Help <OWN>', [OWN, 'Ann <ANN>'], ['ANN']],
    ['a list that names us last', 'Ann via Help <OWN>', ['Ann <ANN>', OWN], ['ANN']],
    ['a site that names us first', 'Site <site@shop.example>', ['OWN', 'ANN'], ['ANN']],
    ['a site that names us with a tag and in capitals', 'site@shop.example', ['TAGGED', 'ANN'], ['ANN']],
    ['two people', 'Ann <ANN>', ['ANN', 'bob@buyer.example'], ['ANN', 'bob@buyer.example']],
    [
      'one person in two spellings',
      'Ann <ANN>',
      ['ann+x@buyer.example', 'Ann+X@Buyer.Example'],
      ['ann+x@buyer.example'],
    ],
    ['nobody but us', 'Ann <ANN>', ['OWN', 'TAGGED'], ['ANN']],
  ])('goes to whoever is not ourselves: %s', async (_, from, replyTo, expected) => {
    const ann = visitor();
    const told = (text: string) =>
      text
        .replace('OWN', own())
        .replace('TAGGED', own().replace('@', '+abc@').toUpperCase())
        .replace('ANN', ann);
    const message = await posted(replyTo.map(told).join(', '), { from: told(from) });
    const draft = await ok(workspace.api.post(draftsOf(message), { body_html: 'Soon.' }));
    const to = expected.map(told);
    expect(await ok(workspace.api.get(`${draftsOf(message)}/${draft.response_id}`))).toMatchObject({
      recipient_email: to[0],
      recipient_emails: to,
    });
    const parsed = await repliedTo(message);
    expect(smtp.mails.at(-1)!.to).toEqual(to);
    const named = [parsed.to].flat().flatMap((list) => list!.value.map(({ address }) => address));
    expect(named).toEqual(to);
  });

  it.each([
    ['whom Reply-To names', ['Reply-To: OWN, Ann Lee <ANN>'], 'Ann Lee'],
    ['whom X-Original-From names', ['X-Original-From: Ann Lee <ANN>', 'Reply-To: OWN'], 'Ann Lee'],
    ['whom X-Original-Sender names', ['X-Original-Sender: ANN', 'Reply-To: bob@buyer.example'], 'Ann'],
  ])('has the contact, in a mail that a list sends in our name, %s', async (_, headers, name) => {
    const email = visitor();
    const told = headers.map((header) => header.replace('OWN', own()).replace('ANN', email));
    const mail = rawMail({ from: `'Ann' via Help <${own().toUpperCase()}>`, headers: told });
    const { conversation_id } = await ok(postMail(channel, mail));
    const { contact_id } = await ok(workspace.api.get(`conversations/${conversation_id}`));
    expect(await ok(workspace.api.get(`contacts/${contact_id}`))).toMatchObject({ name, email });
  });

  it('is refused where nobody but ourselves is left', async () => {
    const message = await posted(own(), { from: `Help <${own()}>` });
    expectProblem(await workspace.api.post(draftsOf(message), autosend()), 400, 'recipient_missing');
    const draft = await ok(workspace.api.post(draftsOf(message), { body_html: 'Soon.' }));
    expect(await ok(workspace.api.get(`${draftsOf(message)}/${draft.response_id}`))).toMatchObject({
      recipient_email: null,
      recipient_emails: [],
    });
  });

  it('goes to all the addresses that a mail recorded by the API names', async () => {
    const addresses = ['ann@buyer.example', 'bob@buyer.example'];
    const email_metadata = { reply_to: addresses.join(', ') };
    const message = await ok(received(workspace.api, { contact: { email: visitor() }, email_metadata }));
    expect(message.email_metadata).toMatchObject(email_metadata);
    expect(await recipientsOf(message)).toEqual(addresses);
    for (const reply_to of ['bob@buyer.example, nobody', ',', ' '])
      expectProblem(
        await received(workspace.api, { contact: { email: visitor() }, email_metadata: { reply_to } }),
        400,
        'validation_failed',
      );
  });

  it('marks no address of the same domain, and shows no authentication that nobody asked for', async () => {
    const headers = ['Reply-To: jane@SHOP.example', 'Authentication-Results: mx.evil.example; spf=pass'];
    const { email_metadata } = await posted('unused', { headers });
    expect(email_metadata.reply_to).toBe('jane@SHOP.example');
    expect(email_metadata).not.toHaveProperty('reply_to_other_domain');
    expect(email_metadata).not.toHaveProperty('authentication');
  });

  it('goes there when the mail was recorded by the API', async () => {
    const reply_to = visitor();
    const contact = { email: visitor() };
    const message = await ok(received(workspace.api, { contact, email_metadata: { reply_to } }));
    expect(await recipientsOf(message)).toEqual([reply_to]);
    const wrong = await received(workspace.api, { contact, email_metadata: { reply_to: 'nobody at home' } });
    expectProblem(wrong, 400, 'validation_failed');
  });
});
