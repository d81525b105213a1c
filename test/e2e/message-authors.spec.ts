import { createHash } from 'node:crypto';
import { fetch } from 'undici';
import {
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { pathOf, push, pushText, textChannel, twilioText } from '../support/clients/doors.js';
import { expectProblem } from '../support/clients/expectations.js';
import { readFeed } from '../support/clients/feed.js';
import {
  autosend,
  draftsOf,
  messagesOf,
  newMessageId,
  postMail,
  promotedMessage,
  rawMail,
  type MailFields,
} from '../support/data/mail.js';
import { firstMessage, openedBy } from '../support/data/message-drafts.js';
import { cli } from '../support/server/cli.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { startServer } from '../support/server/server.js';
import { verify } from '../support/server/verify.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';

let smtp: TestSmtp;
let workspace: Workspace;
let channel: Json;
beforeAll(async () => {
  smtp = await startSmtp();
});
afterAll(() => smtp.close());
beforeEach(async () => {
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, smtp.port);
});

const NOBODY = { name: null, email: null, phone_number: null };
const mail = (fields: MailFields): Promise<Json> => ok(postMail(channel, rawMail(fields)));
const post = (body: object) =>
  workspace.api.post('messages', {
    message_direction: 'received',
    modality: 'email',
    content: 'Hello',
    ...body,
  });
const record = (body: object): Promise<Json> => ok(post(body));
const contacts = async (): Promise<Json[]> => (await ok(workspace.api.get('contacts', { limit: 200 }))).data;
const contactWith = async (email: string): Promise<string> =>
  (await contacts()).find((one) => one.email === email)!.contact_id;
const conversationOf = ({ conversation_id }: Json): Promise<Json> =>
  ok(workspace.api.get(`conversations/${conversation_id}`));
const conversationsOf = async (contactId: string, limit = 200): Promise<string[]> => {
  const found: string[] = [];
  for (let cursor: string | undefined; ;) {
    const { data, pagination } = await ok(
      workspace.api.get(`contacts/${contactId}/conversations`, { limit, cursor }),
    );
    found.push(...data.map(({ conversation_id }: Json) => conversation_id));
    if (!pagination.has_more) return found;
    cursor = pagination.next_cursor;
  }
};
const word = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;

describe('a mail that came in', () => {
  it.each(['Grace Hopper', 'Große Ährenfeld', '山田 太郎', 'مريم', 'Ольга', '🎉 Shop', "O'Neil, Pat"])(
    'names its author as From does: %s',
    async (name) => {
      const message = await mail({ from: `${word(name)} <Grace@Navy.example>` });
      expect(message.from).toEqual({
        name,
        email: 'Grace@Navy.example',
        phone_number: null,
        contact_id: (await conversationOf(message)).contact_id,
      });
      expect(await messagesOf(workspace, message)).toEqual([message]);
    },
  );

  it('names whom it is to and who got a copy, in the order of its headers, members in place of groups', async () => {
    const message = await mail({
      to: `"Sales, all" <sales@acme.example>, bare@acme.example, Team: ${word('Zoë')} <z@acme.example>, b@acme.example;`,
      headers: [`Cc: ${word('次郎')} <jiro@acme.example>, c@acme.example`],
    });
    expect(message.to).toEqual([
      { ...NOBODY, name: 'Sales, all', email: 'sales@acme.example' },
      { ...NOBODY, email: 'bare@acme.example' },
      { ...NOBODY, name: 'Zoë', email: 'z@acme.example' },
      { ...NOBODY, email: 'b@acme.example' },
    ]);
    expect(message.cc).toEqual([
      { name: '次郎', email: 'jiro@acme.example' },
      { name: null, email: 'c@acme.example' },
    ]);
    expect(message.email_metadata.cc_emails).toEqual(['jiro@acme.example', 'c@acme.example']);
  });

  it.each(['undisclosed-recipients:;', 'Undisclosed recipients: ;', ''])(
    'is to nobody when its header says so: %j',
    async (to) => expect(await mail({ to })).toMatchObject({ to: [], cc: [] }),
  );

  it('is by nobody when nothing in it says who wrote it', async () => {
    const message = await mail({ from: 'undisclosed-senders:;' });
    expect(message.from).toEqual({ ...NOBODY, contact_id: (await conversationOf(message)).contact_id });
  });

  it('by two people is by the first, makes a contact of each, and is in the conversations of both', async () => {
    const message = await mail({ from: 'Ann <ann@navy.example>, Bob <bob@navy.example>, ANN@navy.example' });
    const [ann, bob] = [await contactWith('ann@navy.example'), await contactWith('bob@navy.example')];
    expect(message.from).toMatchObject({ name: 'Ann', contact_id: ann });
    expect(await contacts()).toHaveLength(2);
    expect(await conversationOf(message)).toMatchObject({ contact_id: ann });
    for (const one of [ann, bob]) expect(await conversationsOf(one)).toEqual([message.conversation_id]);
    const { data } = await readFeed(workspace.api, { types: 'MessageRecorded' });
    expect(data.map((event: Json) => event.data.message.also_by)).toEqual([[bob]]);
  });

  it('by another person in the thread is by that person, and the conversation keeps its contact', async () => {
    const id = newMessageId();
    const first = await mail({ from: 'Ann <ann@navy.example>', id });
    const second = await mail({ from: 'Bob <bob@navy.example>', inReplyTo: id });
    const [ann, bob] = [await contactWith('ann@navy.example'), await contactWith('bob@navy.example')];
    expect(second.conversation_id).toBe(first.conversation_id);
    expect([first.from.contact_id, second.from.contact_id]).toEqual([ann, bob]);
    expect(await conversationOf(first)).toMatchObject({ contact_id: ann });
    for (const one of [ann, bob]) expect(await conversationsOf(one)).toEqual([first.conversation_id]);
  });

  it('by a contact who is known, in whatever case, makes no other', async () => {
    const { contact_id } = await ok(workspace.api.post('contacts', { email: 'ann@navy.example' }));
    const message = await mail({ from: 'ANN@Navy.Example' });
    expect(message.from).toEqual({ ...NOBODY, email: 'ANN@Navy.Example', contact_id });
    expect(await contacts()).toHaveLength(1);
  });

  it('makes one contact of each of its authors when 16 mails of theirs come at once', async () => {
    const from = 'Ann <ann@navy.example>, Bob <bob@navy.example>';
    const messages = await Promise.all(Array.from({ length: 16 }, () => mail({ from })));
    expect(await contacts()).toHaveLength(2);
    const all = messages.map(({ conversation_id }) => conversation_id).sort();
    expect((await conversationsOf(await contactWith('bob@navy.example'))).sort()).toEqual(all);
  });

  it('shows what it answers and where replies go without brackets', async () => {
    const message = await mail({
      inReplyTo: '<a@x.example>',
      references: '<r1@x.example>\n\t<r2@x.example> <a@x.example>',
      headers: ['Reply-To: Desk <desk@navy.example>, <two@navy.example>'],
    });
    expect(message.email_metadata).toMatchObject({
      in_reply_to: ['a@x.example'],
      references: ['r1@x.example', 'r2@x.example', 'a@x.example'],
      reply_to: 'desk@navy.example, two@navy.example',
    });
  });
});

describe('what came in by another door', () => {
  it('is by the number a text came from, under the name it gives, to the number it was sent to', async () => {
    const texts = await textChannel(workspace);
    const parameters = twilioText({ ProfileName: 'Grace' });
    await pushText(workspace, texts, parameters);
    const [conversation] = (await ok(workspace.api.get('conversations'))).data;
    const [message] = await messagesOf(workspace, conversation);
    expect(message!.from).toEqual({
      name: 'Grace',
      email: null,
      phone_number: parameters['From'],
      contact_id: conversation.contact_id,
    });
    expect([message!.to, message!.cc]).toEqual([[{ ...NOBODY, phone_number: parameters['To'] }], []]);
  });

  it('is by who called, to who was called; a number that is withheld is none', async () => {
    const texts = await textChannel(workspace);
    const call = (fields: object): Promise<Json> =>
      ok(
        push(workspace, pathOf(texts, 'call'), {
          body: {
            call_id: unique('CA'),
            from: '+12125550101',
            to: '+12125550100',
            direction: 'inbound',
            started_at: '2026-01-02T03:04:05Z',
            ...fields,
          },
        }),
      );
    const to = [{ ...NOBODY, phone_number: '+12125550100' }];
    const inbound = await call({});
    const { contact_id } = await conversationOf(inbound);
    expect(inbound).toMatchObject({ from: { ...NOBODY, phone_number: '+12125550101', contact_id }, to });
    expect(await call({ direction: 'outbound' })).toMatchObject({
      from: { ...NOBODY, phone_number: '+12125550101', contact_id: null },
      to,
    });
    const withheld = await call({ from: 'anonymous' });
    expect(withheld).toMatchObject({
      from: { ...NOBODY, contact_id: (await conversationOf(withheld)).contact_id },
      to,
    });
  });

  it('is by the visitor of a chat as they say who they are', async () => {
    const chat = await ok(workspace.adminApi.put('channels/live_chat', { provider: 'inbox' }));
    const say = (fields: object): Promise<Json> =>
      ok(push(workspace, pathOf(chat, 'live_chat'), { body: { visitor_id: 'v', text: 'Hi', ...fields } }));
    const first = await say({});
    const { contact_id } = await conversationOf(first);
    expect(first.from).toMatchObject({ email: null, phone_number: null, contact_id });
    const told = { name: 'Grace', email: 'grace@navy.example', phone_number: '+1 212 555 0101' };
    expect((await say(told)).from).toEqual({ ...told, contact_id });
  });

  it('is by who filled a form in, and by nobody when the form does not say', async () => {
    const form = (body: object): Promise<Json> => ok(push(workspace, pathOf(channel, 'form'), { body }));
    const told = await form({ name: 'Grace', email: 'grace@navy.example', phone: '+1 212 555 0101' });
    expect(told.from).toEqual({
      name: 'Grace',
      email: 'grace@navy.example',
      phone_number: '+1 212 555 0101',
      contact_id: (await conversationOf(told)).contact_id,
    });
    const untold = await form({ message: 'In blue?' });
    expect(untold.from).toEqual({ ...NOBODY, contact_id: (await conversationOf(untold)).contact_id });
  });
});

describe('a recorded message', () => {
  const contact = { name: 'Grace', email: 'grace@navy.example', phone_number: '+1 212 555 0101' };

  it('that was received is by its contact when nothing says who wrote it, and to nobody', async () => {
    const described = await record({ contact });
    const { contact_id } = await conversationOf(described);
    expect(described).toMatchObject({ from: { ...contact, contact_id }, to: [], cc: [], body_html: null });
    expect((await record({ contact: { contact_id } })).from).toEqual({ ...contact, contact_id });
    const { conversation_id } = described;
    expect((await record({ conversation_id })).from).toEqual({ ...contact, contact_id });
  });

  it('that was sent is by no contact', async () => {
    const message = await record({ contact, message_direction: 'sent' });
    expect(message.from).toEqual({ ...NOBODY, contact_id: null });
    const from = { name: 'Desk', email: 'desk@acme.example', phone_number: null };
    const named = await record({ contact, message_direction: 'sent', from });
    expect(named.from).toEqual({ ...from, contact_id: null });
    expect(await contacts()).toHaveLength(1);
  });

  it('shows from, to and cc as they were given, in order', async () => {
    const from = { name: 'Ann', email: 'Ann@Navy.example', phone_number: '+1 212 555 0102' };
    const to = [
      { ...NOBODY, name: 'Desk' },
      { ...NOBODY, phone_number: '+1 212 555 0100' },
    ];
    const cc = [
      { name: 'Bob', email: 'b@x.example' },
      { name: null, email: 'a@x.example' },
    ];
    const message = await record({ contact, from, to, cc });
    expect(message).toMatchObject({
      from: { ...from, contact_id: await contactWith('Ann@Navy.example') },
      to,
      cc,
      email_metadata: { cc_emails: ['b@x.example', 'a@x.example'] },
    });
    expect(await messagesOf(workspace, message)).toEqual([message]);
  });

  it('is by the contact that it names, as that contact is known; the conversation keeps its own', async () => {
    const first = await record({ contact });
    const { contact_id } = await ok(workspace.api.post('contacts', { name: 'Ann' }));
    const message = await record({ conversation_id: first.conversation_id, from: { contact_id } });
    expect(message.from).toEqual({ ...NOBODY, name: 'Ann', contact_id });
    expect((await conversationOf(message)).contact_id).toBe(first.from.contact_id);
    expect(await conversationsOf(contact_id)).toEqual([first.conversation_id]);
  });

  it('under a mere name is by its contact', async () => {
    const message = await record({ contact, from: { name: 'G. H.' } });
    const { contact_id } = await conversationOf(message);
    expect(message.from).toEqual({ ...NOBODY, name: 'G. H.', contact_id });
    expect(await contacts()).toHaveLength(1);
  });

  it.each(['received', 'sent'])(
    'that was %s has its HTML without what could run',
    async (message_direction) => {
      const body_html = `<p onclick="x()">Hello<script>x()</script> <a href="javascript:x()">you</a></p>`;
      const message = await record({ contact, message_direction, body_html });
      expect(message.body_html).toBe('<p>Hello <a>you</a></p>');
      expect(await messagesOf(workspace, message)).toEqual([message]);
    },
  );

  it('has its HTML as it was given when nothing in it could run', async () => {
    const body_html = `<style>p{font-family:f}</style><p style="color:red">Größe&nbsp;43<br><img src="https://cdn.example/a.png"></p>`;
    for (const message_direction of ['received', 'sent'])
      expect((await record({ contact, message_direction, body_html })).body_html).toBe(body_html);
    for (const empty of [null, '', '<script>x()</script>'])
      expect((await record({ contact, body_html: empty })).body_html).toBeNull();
  });

  it.each<[string, object]>([
    ['from.email', { from: { email: 'nowhere' } }],
    ['from.phone_number', { from: { phone_number: 'five' } }],
    ['from.contact_id', { from: { contact_id: 'contact_nowhere' } }],
    ['from.contact_id', { from: { contact_id: null } }],
    ['from.address', { from: { address: 'a@x.example' } }],
    ['from.name', { from: { name: 1 } }],
    ['from', { from: 'Ann' }],
    ['from', { from: null }],
    ['to', { to: { email: 'a@x.example' } }],
    ['to.0', { to: [{}] }],
    ['to.0', { to: [{ name: '', email: null }] }],
    ['to.1.email', { to: [{ name: 'Ann' }, { email: 'nowhere' }] }],
    ['to.0.contact_id', { to: [{ name: 'Ann', contact_id: 'contact_x' }] }],
    ['to', { to: Array.from({ length: 101 }, () => ({ name: 'Ann' })) }],
    ['cc.0.email', { cc: [{ name: 'Ann' }] }],
    ['cc.0.phone_number', { cc: [{ email: 'a@x.example', phone_number: '+12125550101' }] }],
    ['body_html', { body_html: 1 }],
    ['body_html', { body_html: 'a\0b' }],
    ['body_html', { body_html: 'x'.repeat(1_000_001) }],
    ['body_html', { body_html: '<b>'.repeat(60_000) }],
  ])('is refused with 400 that names %s', async (field, fields) => {
    expectProblem(await post({ contact, ...fields }), 400, 'validation_failed', field);
    expect(await contacts()).toEqual([]);
  });

  it('in a given conversation is by the contact that it names, and the conversation keeps its own', async () => {
    const first = await record({ contact });
    const { conversation_id } = first;
    const bob = { name: 'Bob', email: 'bob@new.example' };
    const second = await record({ conversation_id, contact: bob });
    expect(second.from).toEqual({ ...NOBODY, ...bob, contact_id: await contactWith(bob.email) });
    const third = await record({ conversation_id, contact: { contact_id: second.from.contact_id } });
    expect(third.from).toEqual(second.from);
    const known = await record({ conversation_id, contact });
    expect(known.from.contact_id).toBe(first.from.contact_id);
    const named = await record({ conversation_id, contact: bob, from: { name: 'Bobby' } });
    expect(named.from).toEqual({ ...NOBODY, name: 'Bobby', contact_id: second.from.contact_id });
    const told = await record({ conversation_id, contact, from: bob });
    expect(told.from.contact_id).toBe(second.from.contact_id);
    const { contact_id, participants } = await conversationOf(first);
    expect(contact_id).toBe(first.from.contact_id);
    expect(participants.toSorted()).toEqual([contact_id, second.from.contact_id].toSorted());
    expect(await contacts()).toHaveLength(2);
  });

  it('by a known contact is shown with what is known of that one, whoever else it names', async () => {
    const bob = { name: 'Bob', email: 'bob@new.example' };
    const { contact_id } = await ok(workspace.api.post('contacts', bob));
    const { from } = await record({ contact, from: { contact_id } });
    expect(from).toEqual({ ...NOBODY, ...bob, contact_id });
  });

  it('has as its new content, and its preview, what stands above the history that it quotes', async () => {
    const content =
      'Yes, please.\n\nOn Mon, Jan 5, 2026 at 10:00 AM Ann <ann@x.example> wrote:\n> Blue or green?';
    const message = await record({ contact, content });
    expect(message).toMatchObject({ content, new_content: 'Yes, please.' });
    expect((await conversationOf(message)).preview).toBe('Yes, please.');
    expect((await record({ contact, modality: 'text', content })).new_content).toBeNull();
  });

  it('that was sent is refused when it names a contact as its author', async () => {
    const { contact_id } = await ok(workspace.api.post('contacts', contact));
    const answer = await post({ contact, message_direction: 'sent', from: { contact_id } });
    expectProblem(answer, 400, 'validation_failed', 'from.contact_id');
  });

  it('is refused when it names a contact of another organization', async () => {
    const other = await newWorkspace();
    const { contact_id } = await ok(other.api.post('contacts', contact));
    expectProblem(await post({ contact, from: { contact_id } }), 400, 'validation_failed', 'from.contact_id');
  });
});

describe('what a draft has become', () => {
  it('is by the address of the channel and to whom it was sent', async () => {
    const draft = await ok(
      workspace.api.post('message-drafts', firstMessage({ to_email: 'grace@navy.example' })),
    );
    const { message } = await openedBy(workspace, draft);
    expect(message.from).toMatchObject({
      email: channel.from_address,
      phone_number: null,
      contact_id: null,
    });
    expect(message.to).toMatchObject([{ email: 'grace@navy.example', phone_number: null }]);
  });

  it('is to the address that asked for replies', async () => {
    const asked = await mail({ headers: ['Reply-To: Desk <desk@navy.example>'] });
    const draft = await ok(workspace.api.post(draftsOf(asked), autosend()));
    const message = await promotedMessage(workspace, draft);
    expect(message.from).toMatchObject({ email: channel.from_address, contact_id: null });
    expect(message.to).toMatchObject([{ email: 'desk@navy.example' }]);
    expect(message.cc).toEqual([]);
  });
});

describe('the conversations of a contact', () => {
  it('are all that the contact wrote in, each once, the latest activity first, paged', async () => {
    const { contact_id } = await ok(workspace.api.post('contacts', { email: 'ann@navy.example' }));
    const expected: string[] = [];
    for (let nr = 0; nr < 9; nr++) {
      const id = newMessageId();
      const date = `Thu, 0${nr + 1} Jan 2026 12:00:00 +0000`;
      const own = await mail({ from: nr % 2 ? 'ann@navy.example' : 'bob@navy.example', id, date });
      await mail({ from: nr % 3 ? 'Ann <ann@navy.example>' : 'cy@navy.example', inReplyTo: id, date });
      if (nr % 2 || nr % 3) expected.unshift(own.conversation_id);
    }
    expect(await conversationsOf(contact_id)).toEqual(expected);
    for (const limit of [1, 2, 3]) expect(await conversationsOf(contact_id, limit)).toEqual(expected);
  });

  it('are none that the contact was only copied in, or that only wrote to others', async () => {
    const { contact_id } = await ok(workspace.api.post('contacts', { email: 'ann@navy.example' }));
    await mail({ from: 'bob@navy.example', headers: ['Cc: ann@navy.example'] });
    expect(await conversationsOf(contact_id)).toEqual([]);
  });

  it('are one where two turn out to be one, for each who wrote in either', async () => {
    const [first, middle, last] = [newMessageId(), newMessageId(), newMessageId()];
    const older = await mail({ from: 'ann@navy.example', id: first });
    await mail({ from: 'bob@navy.example', inReplyTo: first });
    const younger = await mail({ from: 'cy@navy.example', id: last, inReplyTo: middle });
    await mail({ from: 'dan@navy.example', inReplyTo: last });
    expect(younger.conversation_id).not.toBe(older.conversation_id);
    await mail({ from: 'ann@navy.example', id: middle, inReplyTo: first });
    for (const name of ['ann', 'bob', 'cy', 'dan'])
      expect([name, await conversationsOf(await contactWith(`${name}@navy.example`))]).toEqual([
        name,
        [older.conversation_id],
      ]);
    expect((await conversationOf(older)).contact_id).toBe(await contactWith('ann@navy.example'));
  });
});

it('keeps who wrote in which conversation when it is read again from the events, mergers included', async () => {
  const dataDir = readyDataDir();
  const server = await startServer({ dataDir });
  try {
    workspace = await newWorkspace({ url: server.url });
    channel = await emailChannel(workspace, smtp.port);
    const write = async (fields: MailFields): Promise<Json> =>
      ok(postMail(channel, rawMail(fields), server.url));
    const [first, middle, last] = [newMessageId(), newMessageId(), newMessageId()];
    await write({ from: 'ann@navy.example, eve@navy.example', id: first });
    await write({ from: 'bob@navy.example', inReplyTo: first });
    await write({ from: 'cy@navy.example', id: last, inReplyTo: middle });
    await write({ from: 'ann@navy.example', inReplyTo: last });
    await write({ from: 'dan@navy.example', id: middle, inReplyTo: first });
    await write({ from: 'cy@navy.example', inReplyTo: first });
    const shown = async () => {
      const lists = (await contacts()).map(({ contact_id }) => conversationsOf(contact_id));
      return Promise.all(lists);
    };
    const before = await shown();
    expect(before).toEqual(Array(5).fill([expect.any(String)]));
    expect(await verify(dataDir)).not.toContain('DIFFERS');
    const rebuilt = await cli(['rebuild', 'conversation'], { env: { PARLEY_DATA_DIR: dataDir } });
    expect(rebuilt).toMatchObject({ code: 0 });
    expect(await verify(dataDir)).not.toContain('DIFFERS');
    expect(await shown()).toEqual(before);
  } finally {
    await server.stop();
    removeDataDir(dataDir);
  }
});

describe('the mail that a message came as', () => {
  const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  async function raw(path: string, { api }: Workspace = workspace) {
    const answer = await fetch(api.url + api.path(path), { headers: api.headers });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  }

  it.each<[string, Buffer]>([
    [
      '8-bit bytes',
      Buffer.from('From: a@x.example\r\nSubject: Gr\xf6\xdfe\r\n\r\n\x80\xff\xfe\r\n', 'latin1'),
    ],
    ['bare LF', Buffer.from('From: a@x.example\nSubject: x\n\nHello\n.\n..\nFrom x\n')],
    ['bare CR', Buffer.from('From: a@x.example\rSubject: x\r\n\r\nHello\r')],
    ['U+0000', Buffer.from('From: a@x.example\r\nSubject: x\0y\r\n\r\nHel\0lo\r\n')],
    [
      'every byte',
      Buffer.concat([
        Buffer.from('From: a@x.example\r\n\r\n'),
        Buffer.from(Array.from({ length: 256 }, (_, nr) => nr)),
      ]),
    ],
    ['a line of an mbox', Buffer.from('From x Thu Jan  1 00:00:00 2026\nFrom: a@x.example\n\nHello')],
    [
      '16 MiB',
      Buffer.concat([
        Buffer.from('From: a@x.example\r\n\r\n'),
        Buffer.alloc(16 << 20, `${'x'.repeat(74)}\r\n`),
      ]),
    ],
  ])('is given back byte for byte: %s', async (_, bytes) => {
    const message = await ok(postMail(channel, Buffer.from(bytes)));
    for (const path of [
      `messages/${message.message_id}/raw`,
      `conversations/${message.conversation_id}/messages/${message.message_id}/raw`,
    ]) {
      const answer = await raw(path);
      expect(answer.status).toBe(200);
      expect([answer.bytes.length, sha256(answer.bytes)]).toEqual([bytes.length, sha256(bytes)]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'message/rfc822',
        'content-length': String(bytes.length),
        'content-disposition': `attachment; filename="${message.message_id}.eml"`,
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('is the first that came, when it comes again by another way', async () => {
    const fields = { id: newMessageId(), subject: 'Blue' };
    const [first, again] = [rawMail(fields), rawMail({ ...fields, headers: ['Received: from x'] })];
    const message = await ok(postMail(channel, first));
    expect(await postMail(channel, again)).toMatchObject({ status: 200, body: message });
    const { bytes } = await raw(`messages/${message.message_id}/raw`);
    expect(sha256(bytes)).toBe(sha256(first));
  });

  it('is none for what was no mail', async () => {
    const form = await ok(push(workspace, pathOf(channel, 'form'), { body: { message: 'In blue?' } }));
    const posted = await record({ contact: { name: 'Grace' } });
    for (const { conversation_id, message_id } of [form, posted])
      for (const path of [
        `messages/${message_id}/raw`,
        `conversations/${conversation_id}/messages/${message_id}/raw`,
      ])
        expectProblem(await workspace.api.get(path), 404, 'no_raw_message');
  });

  it('is not found in another organization, another conversation, or without its id', async () => {
    const [one, two] = [await mail({}), await mail({})];
    const other = await newWorkspace();
    const path = `messages/${one.message_id}/raw`;
    expectProblem(await other.api.get(path), 404, 'message_not_found');
    expectProblem(await workspace.api.get('messages/msg_nowhere/raw'), 404, 'message_not_found');
    expectProblem(
      await workspace.api.get(`conversations/${two.conversation_id}/${path}`),
      404,
      'message_not_found',
    );
    expectProblem(
      await workspace.api.get(`conversations/conv_nowhere/${path}`),
      404,
      'conversation_not_found',
    );
    expectProblem(await workspace.api.with({ 'x-api-key': '' }).get(path), 401, 'unauthorized');
  });
});
