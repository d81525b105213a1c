import nodemailer from 'nodemailer';
import {
  type Client,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import {
  autosend,
  draftsOf,
  newMessageId,
  postMail,
  promotedMessage,
  rawMail,
} from '../support/data/mail.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { freePort, type Server, startServer } from '../support/server/server.js';
import { type ReceivedMail, startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

let server: Server;
let port: number;
let smtp: TestSmtp;
let workspace: Workspace;
let channel: Json;
let api: Client;
beforeAll(async () => {
  port = await freePort();
  [smtp, server] = [await startSmtp(), await startServer({ env: { INBOUND_SMTP_PORT: String(port) } })];
  workspace = await newWorkspace({ url: server.url });
  api = workspace.api;
  channel = await emailChannel(workspace, smtp.port, { reply_token: true });
});
afterAll(async () => {
  await server.stop();
  await smtp.close();
  removeDataDir(server.dataDir);
});

const person = () => `${unique('grace')}@navy.example`;
const push = (fields: object, into = channel) => ok(postMail(into, rawMail(fields), server.url));
const conversationOf = ({ conversation_id }: Json): Promise<Json> =>
  ok(api.get(`conversations/${conversation_id}`));

/** Hands a mail to the listener as another mail server would. */
const deliver = (to: string, raw: Buffer): Promise<unknown> =>
  nodemailer
    .createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true })
    .sendMail({ envelope: { from: 'grace@navy.example', to }, raw });

/** The mail that a reply of ours in the conversation leaves as. */
async function reply(question: Json, of = workspace): Promise<ReceivedMail> {
  const draft = await ok(of.api.post(draftsOf(question), autosend()));
  const { email_metadata } = await promotedMessage(of, draft);
  return smtp.mails.find(({ messageId }) => messageId === `<${email_metadata.email_message_id}>`)!;
}
const replyToOf = ({ parsed }: ReceivedMail): string | undefined => parsed.replyTo?.value[0]?.address;

/** A question of somebody new, and the address by which our reply to it names its conversation. */
async function answered(): Promise<{ question: Json; from: string; replyTo: string }> {
  const from = person();
  const question = await push({ from });
  return { question, from, replyTo: replyToOf(await reply(question))! };
}

/** Another one in place of a character of the token. */
const forged = (address: string, place: number) => {
  const at = address.indexOf('+') + 1 + place;
  return address.slice(0, at) + (address[at] === '0' ? '1' : '0') + address.slice(at + 1);
};

describe('a reply', () => {
  it('carries a Reply-To that names its conversation, in lower case, under the name of the sender', async () => {
    const named = await newWorkspace({ url: server.url });
    const settings = { reply_token: true, from_name: 'Acme' };
    const into = await emailChannel(named, smtp.port, settings);
    const { parsed, raw } = await reply(await push({}, into), named);
    const [local, domain] = into.from_address.split('@');
    expect(parsed.replyTo!.value[0]).toEqual({
      name: 'Acme',
      address: expect.stringMatching(new RegExp(`^${local}\\+[0-9a-z]{39}@${domain}$`)),
    });
    expect(raw.match(/^Reply-To:/gm)).toHaveLength(1);
  });

  it('carries none unless the channel asks for it, which it shows', async () => {
    const plain = await newWorkspace({ url: server.url });
    const into = await emailChannel(plain, smtp.port);
    expect([into.reply_token, channel.reply_token]).toEqual([false, true]);
    expect(await ok(plain.adminApi.get('channels/email'))).toEqual(into);
    expect((await reply(await push({}, into), plain)).parsed.replyTo).toBeUndefined();
  });

  it('carries none when the address has no room for it', async () => {
    const long = await newWorkspace({ url: server.url });
    const from_address = `${unique('an-address-that-is-too-long')}@acme.example`;
    const into = await emailChannel(long, smtp.port, { reply_token: true, from_address });
    expect((await reply(await push({}, into), long)).parsed.replyTo).toBeUndefined();
  });

  it('is what carries it, not a first mail, whose conversation is not there yet', async () => {
    const to_email = person();
    await ok(
      api.post('message-drafts', { ...autosend(), modality: 'email', subject: 'Blue is back', to_email }),
    );
    const sent = () => smtp.mails.find(({ to }) => to.includes(to_email));
    await until(() => sent() !== undefined);
    expect(sent()!.parsed.replyTo).toBeUndefined();
  });
});

describe('a mail to the address of a conversation', () => {
  it('that comes by SMTP without In-Reply-To and References ends in it, in whatever case', async () => {
    const { question, from, replyTo } = await answered();
    await deliver(replyTo.toUpperCase(), rawMail({ from, to: replyTo, subject: 'stripped' }));
    const { data } = await ok(api.get(`conversations/${question.conversation_id}/messages`));
    expect(data.map(({ subject }: Json) => subject)[0]).toBe('stripped');
    expect(data).toHaveLength(3);
    expect((await conversationOf(question)).is_read).toBe(false);
  });

  it('ends in it when the envelope alone has the address', async () => {
    const { question, from, replyTo } = await answered();
    await deliver(replyTo, rawMail({ from, to: 'undisclosed-recipients:;', subject: 'hidden' }));
    const { data } = await ok(api.get(`conversations/${question.conversation_id}/messages`));
    expect(data[0].subject).toBe('hidden');
  });

  it.each([
    ['To', (address: string) => ({ to: `"Acme, sales" <${address}>` })],
    ['Cc', (address: string) => ({ headers: [`Cc: info@x.example, ${address}`] })],
    ['Delivered-To', (address: string) => ({ headers: [`Delivered-To: ${address}`] })],
    ['X-Original-To', (address: string) => ({ headers: [`X-Original-To: ${address}`] })],
  ])('ends in it when %s has the address', async (_, fields) => {
    const { question, from, replyTo } = await answered();
    expect(await push({ from, ...fields(replyTo) })).toMatchObject({
      conversation_id: question.conversation_id,
    });
  });

  it('ends in it when what it answers is unknown', async () => {
    const { question, from, replyTo } = await answered();
    const unknown = { inReplyTo: newMessageId(), references: newMessageId() };
    const { conversation_id } = await push({ from, to: replyTo, ...unknown });
    expect(conversation_id).toBe(question.conversation_id);
  });

  it.each([['inReplyTo'], ['references']])(
    'ends in that of the mail that its %s names where that is known',
    async (header) => {
      const { from, replyTo } = await answered();
      const id = newMessageId();
      const other = await push({ from, id });
      const { conversation_id } = await push({ from, to: replyTo, [header]: id });
      expect(conversation_id).toBe(other.conversation_id);
    },
  );

  it('ends in it when somebody else has written it, and leaves it its contact', async () => {
    const { question, replyTo } = await answered();
    const { contact_id } = await conversationOf(question);
    const { conversation_id } = await push({ from: person(), to: replyTo });
    expect(conversation_id).toBe(question.conversation_id);
    expect(await conversationOf(question)).toMatchObject({ contact_id });
  });

  it('brings what has answered it before it came along', async () => {
    const { question, from, replyTo } = await answered();
    const id = newMessageId();
    const early = await push({ from, inReplyTo: id });
    expect(early.conversation_id).not.toBe(question.conversation_id);
    expect(await push({ from, id, to: replyTo })).toMatchObject({
      conversation_id: question.conversation_id,
    });
    const { data } = await ok(api.get(`conversations/${question.conversation_id}/messages`));
    expect(data.map(({ message_id }: Json) => message_id)).toContain(early.message_id);
  });

  it('that has gone into another one ends there', async () => {
    const missing = newMessageId();
    const [first, second] = [
      await push({ from: person(), inReplyTo: missing }),
      await push({ from: person(), inReplyTo: missing }),
    ];
    const addresses = [replyToOf(await reply(first))!, replyToOf(await reply(second))!];
    const original = await push({ from: person(), id: missing });
    const merged = await api.get(`conversations/${second.conversation_id}`);
    expect([merged.status, first.conversation_id]).toEqual([404, original.conversation_id]);
    for (const to of addresses)
      expect(await push({ from: person(), to })).toMatchObject({ conversation_id: original.conversation_id });
  });

  it('counts as one to the channel itself, copies as copies', async () => {
    const other = await newWorkspace({ url: server.url });
    const into = await emailChannel(other, smtp.port);
    const tagged = into.from_address.replace('@', '+blue@');
    await push({ to: tagged, headers: [`Cc: ${into.from_address}`] }, into);
    const copy = await push({ to: 'info@x.example', headers: [`Cc: ${tagged}`] }, into);
    expect(copy).toEqual(
      await ok(other.api.get(`conversations/${copy.conversation_id}/messages/${copy.message_id}`)),
    );
    const [{ uuid }] = await ok(other.api.get('/api/v1/solutions'));
    const window = { start_date: '2026-01-01T00:00:00Z', end_date: '2100-01-01T00:00:00Z' };
    await until(async () => {
      const { salesFunnelStats } = await ok(other.api.get(`/api/v1/solutions/${uuid}/analytics`, window));
      const { sessionsDirectEmail, sessionsIndirectEmail } = salesFunnelStats.source;
      return sessionsDirectEmail === 1 && sessionsIndirectEmail === 1;
    });
  });

  it('brings a text in only once', async () => {
    const { question, from, replyTo } = await answered();
    const raw = rawMail({ from, to: replyTo });
    for (let nr = 0; nr < 3; nr++) await deliver(replyTo, raw);
    const { data } = await ok(api.get(`conversations/${question.conversation_id}/messages`));
    expect(data).toHaveLength(3);
  });
});

describe('a token', () => {
  it.each([
    ['whose conversation was changed', (address: string) => forged(address, 25)],
    ['whose signature was changed', (address: string) => forged(address, 38)],
    ['that was cut short', (address: string) => address.replace(/.@/, '@')],
    ['that was made up', (address: string) => address.replace(/\+.*@/, '+blue@')],
    ['that is empty', (address: string) => address.replace(/\+.*@/, '+@')],
  ])('%s is ignored, and the mail is taken', async (_, change) => {
    const { question, from, replyTo } = await answered();
    const subject = unique('subject');
    await deliver(change(replyTo), rawMail({ from, to: change(replyTo), subject }));
    const [latest] = (await ok(api.get('conversations'))).data;
    const { data } = await ok(api.get(`conversations/${latest.conversation_id}/messages`));
    expect(data.map((message: Json) => message.subject)).toEqual([subject]);
    expect(latest.conversation_id).not.toBe(question.conversation_id);
  });

  it('of another organization is ignored, and the mail is taken', async () => {
    const { replyTo } = await answered();
    const other = await newWorkspace({ url: server.url });
    const into = await emailChannel(other, smtp.port, { reply_token: true });
    const { conversation_id } = await push({ to: replyTo }, into);
    const { data } = await ok(other.api.get('conversations'));
    expect(data.map((one: Json) => one.conversation_id)).toEqual([conversation_id]);
  });

  it('in a mail for two organizations leads each to its own conversation', async () => {
    const other = await newWorkspace({ url: server.url });
    const into = await emailChannel(other, smtp.port, { reply_token: true });
    const [mine, question] = [await answered(), await push({}, into)];
    const theirs = replyToOf(await reply(question, other))!;
    await deliver(mine.replyTo, rawMail({ from: mine.from, to: `${mine.replyTo}, ${theirs}` }));
    await deliver(theirs, rawMail({ to: `${mine.replyTo}, ${theirs}` }));
    const count = async (of: Client, { conversation_id }: Json) =>
      (await ok(of.get(`conversations/${conversation_id}/messages`))).data.length;
    expect([await count(api, mine.question), await count(other.api, question)]).toEqual([3, 3]);
  });

  it('is of use also when the channel asks for none any more', async () => {
    const other = await newWorkspace({ url: server.url });
    const into = await emailChannel(other, smtp.port, { reply_token: true });
    const question = await push({}, into);
    const to = replyToOf(await reply(question, other))!;
    await emailChannel(other, smtp.port, { reply_token: false, from_address: into.from_address });
    expect(await push({ to }, into)).toMatchObject({ conversation_id: question.conversation_id });
  });
});

describe('reply_token', () => {
  it.each([[null], ['true'], [1]])('%p is refused', async (reply_token) => {
    const body = { provider: 'smtp', host: 'x', port: 25, from_address: person(), reply_token };
    const { status, body: problem } = await workspace.adminApi.put('channels/email', body);
    expect([status, problem.errors[0].field]).toEqual([400, 'reply_token']);
  });
});
