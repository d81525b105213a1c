import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { auditOf, changesOf } from '../support/clients/audit.js';
import { readFeed } from '../support/clients/feed.js';
import {
  autosend,
  draftsOf,
  draftWith,
  messagesOf,
  postMail,
  promotedMessage,
  rawMail,
  receivedMail,
} from '../support/data/mail.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';

let workspace: Workspace;
let smtp: TestSmtp;
let channel: Json;

beforeAll(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, smtp.port);
});
afterAll(() => smtp.close());

const inSeconds = (seconds: number): string =>
  new Date(performance.timeOrigin + performance.now() + seconds * 1_000).toISOString();
const pathTo = ({ conversation_id }: Json): string => `conversations/${conversation_id}`;
const shown = (one: Json): Promise<Json> => ok(workspace.api.get(pathTo(one)));
const statusOf = async (one: Json): Promise<string> => (await shown(one)).status;
const patch = (one: Json, changes: object): Promise<Json> => ok(workspace.api.patch(pathTo(one), changes));
const save = (question: Json, fields: object): Promise<Json> =>
  ok(workspace.api.post(draftsOf(question), { body_html: '<p>Yes.</p>', close_after_send: true, ...fields }));
const reply = (question: Json, fields: object = {}): Promise<Json> => save(question, autosend(fields));
const sent = (draft: Json): Promise<Json> => promotedMessage(workspace, draft);
const written = ({ conversation_id }: Json, fields: object = {}): Promise<Json> =>
  receivedMail(workspace, { conversation_id, contact: undefined, ...fields });
const send = (draft: Json): Promise<Json> =>
  ok(workspace.api.post(`${draftsOf(draft)}/${draft.response_id}/send`));

/** Does this while the reply is being sent, before it is a message. */
async function whileSending(question: Json, work: () => Promise<unknown>): Promise<Json> {
  let answerMail = () => {};
  const held = new Promise<undefined>((resolve) => (answerMail = () => resolve(undefined)));
  smtp.respond.data = () => held;
  try {
    const draft = await reply(question);
    await draftWith(workspace, draft, 'sending');
    await work();
    answerMail();
    return await sent(draft);
  } finally {
    answerMail();
    delete smtp.respond.data;
  }
}

describe('a reply with close_after_send', () => {
  it('closes the conversation as it becomes a message, by the system', async () => {
    const question = await receivedMail(workspace);
    const draft = await reply(question, { send_at: inSeconds(60) });
    const path = `${draftsOf(draft)}/${draft.response_id}`;
    expect(await ok(workspace.api.get(path))).toMatchObject({ close_after_send: true });
    expect(await statusOf(question)).toBe('open');
    await ok(workspace.api.post(`${path}/unschedule`));
    const message = await sent(await send(draft));
    expect(await shown(question)).toMatchObject({
      status: 'closed',
      snoozed_until: null,
      last_message: { message_id: message.message_id },
    });
    const types = 'ConversationOpened,MessageRecorded,ConversationTriaged';
    const { data } = await readFeed(workspace.api, { record_id: question.conversation_id, types });
    expect(data.map(({ type, data: { status } }: Json) => [type, status])).toEqual([
      ['ConversationOpened', undefined],
      ['MessageRecorded', undefined],
      ['ConversationTriaged', 'closed'],
    ]);
    // One transaction has written both.
    expect(data[2].occurred_at).toBe(data[1].occurred_at);
    const record = (await auditOf(workspace, question.conversation_id)).at(-1)!;
    expect([record.actor.type, changesOf(record)]).toEqual(['system', { status: ['open', 'closed'] }]);
  });

  it('does so only where it is asked for, and an overwrite says so anew', async () => {
    const [plain, overwritten] = [await receivedMail(workspace), await receivedMail(workspace)];
    await sent(await reply(plain, { close_after_send: undefined }));
    expect(await statusOf(plain)).toBe('open');
    const draft = await save(overwritten, {});
    await save(overwritten, { close_after_send: undefined });
    expect(await ok(workspace.api.get(`${draftsOf(draft)}/${draft.response_id}`))).toMatchObject({
      close_after_send: false,
    });
    await sent(await send(draft));
    expect(await statusOf(overwritten)).toBe('open');
  });

  it('closes a snoozed conversation, and leaves a closed one as it is', async () => {
    const [asleep, closed] = [await receivedMail(workspace), await receivedMail(workspace)];
    await patch(asleep, { status: 'snoozed', snoozed_until: inSeconds(600) });
    await patch(closed, { status: 'closed' });
    for (const one of [asleep, closed]) {
      await sent(await reply(one));
      expect(await shown(one)).toMatchObject({ status: 'closed', snoozed_until: null });
    }
  });

  it('leaves it open when the contact has written since it was accepted', async () => {
    const question = await receivedMail(workspace);
    await whileSending(question, () => written(question));
    expect(await statusOf(question)).toBe('open');
  });

  it('leaves it open when a message came since, however early it was sent', async () => {
    const question = await receivedMail(workspace);
    await whileSending(question, () => written(question, { sent_at: '2026-01-01T00:00:00Z' }));
    expect(await statusOf(question)).toBe('open');
  });

  it('leaves it open when the contact wrote before the instant at which it leaves', async () => {
    const question = await receivedMail(workspace);
    const draft = await reply(question, { send_at: inSeconds(8) });
    await written(question);
    await sent(draft);
    expect(await statusOf(question)).toBe('open');
  });

  it.each([
    ['an automatic reply', ['Auto-Submitted: auto-replied']],
    ['a message of ours', null],
  ])('closes it in spite of %s', async (_, headers) => {
    const question = await receivedMail(workspace);
    const inReplyTo = question.email_metadata.email_message_id;
    await whileSending(question, () =>
      headers
        ? ok(postMail(channel, rawMail({ inReplyTo, headers })))
        : written(question, { message_direction: 'sent' }),
    );
    expect(await messagesOf(workspace, question)).toHaveLength(3);
    expect(await statusOf(question)).toBe('closed');
  });

  it('closes it when the contact wrote before it was sent after review', async () => {
    const question = await receivedMail(workspace);
    const draft = await save(question, {});
    await written(question);
    await sent(await send(draft));
    expect(await statusOf(question)).toBe('closed');
  });

  it('leaves it open when it failed, the contact wrote, and an operator has it tried again', async () => {
    smtp.respond.data = () => ({ code: 554, text: '5.7.1 not today' });
    const question = await receivedMail(workspace);
    const draft = await reply(question);
    await draftWith(workspace, draft, 'failed').finally(() => delete smtp.respond.data);
    await written(question, { email_metadata: {} });
    await ok(workspace.admin.post(`deliveries/${draft.response_id}/retry`));
    await sent(draft);
    expect(await statusOf(question)).toBe('open');
  });

  it('is followed by a message of the contact, which opens the conversation', async () => {
    const question = await receivedMail(workspace);
    await sent(await reply(question));
    expect(await statusOf(question)).toBe('closed');
    await written(question);
    expect(await statusOf(question)).toBe('open');
  });

  it('closes the conversation that its own became part of', async () => {
    const [into, from] = [await receivedMail(workspace), await receivedMail(workspace)];
    const draft = await reply(from, { send_at: inSeconds(3) });
    await ok(workspace.api.post(`${pathTo(into)}/merge`, { from_conversation_id: from.conversation_id }));
    await sent({ ...draft, conversation_id: into.conversation_id });
    expect(await statusOf(into)).toBe('closed');
  });
});
