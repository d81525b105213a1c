import fc from 'fast-check';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import {
  autosend,
  draftsOf,
  messagesOf,
  newMessageId,
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

const summaryOf = ({ conversation_id }: Json): Promise<Json> =>
  ok(workspace.api.get(`conversations/${conversation_id}`));

/** A message at so many minutes past noon. */
const at = (minute: number): string => `2026-01-05T12:${String(minute).padStart(2, '0')}:00.000000Z`;
const further = ({ conversation_id }: Json, fields: object): Promise<Json> =>
  receivedMail(workspace, { conversation_id, contact: undefined, ...fields });

/** What the contract says of these messages, which are in their order. */
function expectedOf(messages: Json[]): object {
  const last = messages.at(-1)!;
  const text = (last.new_content ?? last.content).split(/\s+/u).filter(Boolean).join(' ');
  const lastSent = messages.findLastIndex(({ message_direction }) => message_direction === 'sent');
  const open = messages
    .slice(lastSent + 1)
    .find(({ message_direction, is_auto_reply }) => message_direction === 'received' && !is_auto_reply);
  const authors = messages
    .filter(({ message_direction }) => message_direction === 'received')
    .map(({ from }) => from.contact_id);
  return {
    subject: messages.find(({ subject }) => subject)?.subject ?? null,
    preview: [...text].slice(0, 200).join(''),
    message_count: messages.length,
    last_message: {
      message_id: last.message_id,
      direction: last.message_direction,
      modality: last.modality,
      sent_at: last.sent_at,
      agent_id: last.agent_id,
    },
    waiting_since: open?.sent_at ?? null,
    participants: [...new Set(authors)].sort(),
  };
}

const inOrder = (messages: Json[]): Json[] =>
  [...messages].sort((one, other) =>
    one.sent_at + one.message_id < other.sent_at + other.message_id ? -1 : 1,
  );

describe('the summary of a conversation', () => {
  it('is that of its messages by sent_at, in whatever order they come', async () => {
    const { api } = workspace;
    const message = fc.record({
      minute: fc.integer({ min: 0, max: 5 }),
      kind: fc.constantFrom('received', 'received', 'sent', 'text', 'machine'),
      subject: fc.constantFrom(undefined, 'Blue', 'Green'),
      content: fc.constantFrom('Hello', '  a \n\n b\u00a0c ', '👍🏽 '.repeat(150), 'x'.repeat(300)),
      by: fc.constantFrom('grace', 'ada', 'alan'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 8 }), async (all) => {
        const id = newMessageId();
        const first = await receivedMail(workspace, {
          sent_at: at(2),
          subject: undefined,
          email_metadata: { email_message_id: id },
        });
        for (const { minute, kind, subject, content, by } of all) {
          const from = { email: `${by}-${first.message_id}@navy.example` };
          if (kind === 'machine') {
            const date = new Date(at(minute)).toUTCString();
            const headers = ['Auto-Submitted: auto-replied'];
            await ok(postMail(channel, rawMail({ from: from.email, date, inReplyTo: id, subject, headers })));
            continue;
          }
          const direction = kind === 'sent' ? 'sent' : 'received';
          await further(first, {
            sent_at: at(minute),
            modality: kind === 'text' ? 'text' : 'email',
            message_direction: direction,
            subject,
            content,
            ...(direction === 'received' && { from }),
            email_metadata: {},
          });
        }
        const found = await summaryOf(first);
        const messages = inOrder(await messagesOf(workspace, first));
        expect(found).toMatchObject(expectedOf(messages));
        const listed = (await ok(api.get('conversations', { limit: 200 }))).data;
        expect(listed.find(({ conversation_id }: Json) => conversation_id === first.conversation_id)).toEqual(
          found,
        );
      }),
      { numRuns: 40, seed: 34 },
    );
  });

  it('is that of all messages after another conversation was merged into it', async () => {
    const original = newMessageId();
    const from = `Grace <${newMessageId().slice(1, -1)}>`;
    const dated = (minute: number) => new Date(at(minute)).toUTCString();
    const answers = [];
    for (const minute of [5, 7])
      answers.push(
        await ok(
          postMail(
            channel,
            rawMail({ from, subject: `Re ${minute}`, date: dated(minute), inReplyTo: original }),
          ),
        ),
      );
    const first = await ok(
      postMail(channel, rawMail({ from, id: original, subject: 'Blue', date: dated(1) })),
    );
    const messages = inOrder(await messagesOf(workspace, first));
    expect(messages).toHaveLength(1 + answers.length);
    expect(await summaryOf(first)).toMatchObject({ subject: 'Blue', ...expectedOf(messages) });
  });

  it('has the contacts who wrote in it, at most 20', async () => {
    const first = await receivedMail(workspace);
    for (let nr = 0; nr < 25; nr++)
      await further(first, { from: { email: `${nr}-${first.message_id}@navy.example` }, email_metadata: {} });
    const { participants } = await summaryOf(first);
    expect(participants).toHaveLength(20);
    expect(new Set(participants).size).toBe(20);
  });

  it('waits for nobody where only we have written', async () => {
    const sent = await receivedMail(workspace, { message_direction: 'sent' });
    expect(await summaryOf(sent)).toMatchObject({ waiting_since: null, participants: [], message_count: 1 });
  });

  it.each([
    ['email', 'email'],
    ['text', 'text'],
    ['call', 'text'],
    ['live_chat', 'live_chat'],
    ['fax', 'email'],
  ])(
    'of one that wrote by %s tells that a reply leaves by %s, whatever was sent since',
    async (modality, reply_modality) => {
      const first = await receivedMail(workspace, { modality, email_metadata: undefined });
      await further(first, { message_direction: 'sent', modality: modality === 'email' ? 'call' : 'email' });
      expect(await summaryOf(first)).toMatchObject({ reply_modality });
    },
  );

  it('has a draft from when one is saved until it is deleted or has become a message', async () => {
    const { api } = workspace;
    const first = await receivedMail(workspace);
    const hasDraft = async () => (await summaryOf(first)).has_draft;
    expect(await hasDraft()).toBe(false);
    const saved = await ok(api.post(draftsOf(first), { body_html: 'Soon.' }));
    expect(await hasDraft()).toBe(true);
    await ok(api.delete(`${draftsOf(first)}/${saved.response_id}`));
    expect(await hasDraft()).toBe(false);
    const sent = await ok(api.post(draftsOf(first), autosend()));
    await promotedMessage(workspace, sent);
    expect(await summaryOf(first)).toMatchObject({
      has_draft: false,
      waiting_since: null,
      message_count: 2,
      last_message: { direction: 'sent' },
    });
  });

  it('has another entity tag with a draft than without, and both admit a change', async () => {
    const { api } = workspace;
    const first = await receivedMail(workspace);
    const path = `conversations/${first.conversation_id}`;
    const etag = async () => (await api.get(path)).headers.get('etag')!;
    const without = await etag();
    await ok(api.post(draftsOf(first), { body_html: 'Soon.' }));
    const withDraft = await etag();
    expect(withDraft).not.toBe(without);
    const headers = { 'if-none-match': without };
    expect((await api.send('GET', path, { headers })).status).toBe(200);
    const changed = await api.send('PATCH', path, {
      body: { is_read: true },
      headers: { 'if-match': withDraft },
    });
    expect(changed.body).toMatchObject({ is_read: true, has_draft: true });
  });

  it('follows a change of the conversation', async () => {
    const first = await receivedMail(workspace);
    const changed = await ok(
      workspace.api.patch(`conversations/${first.conversation_id}`, { folder: 'later' }),
    );
    expect(changed).toEqual(await summaryOf(first));
    expect(changed).toMatchObject({ folder: 'later', subject: 'Blue', message_count: 1 });
  });
});
