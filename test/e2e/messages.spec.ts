import {
  type Answer,
  apiOf,
  type Json,
  newKey,
  newWorkspace,
  ok,
  type Query,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { messagesOf, newMessageId } from '../support/data/mail.js';

const UNKNOWN = '01hzy3v7q4e8k9m2n5p6r7s8t9';
const DAY_MS = 24 * 3600 * 1000;
const NOON = Date.parse('2026-03-01T12:00:00Z');

/** An instant this many days after noon, and microseconds after that. */
const days = (count: number, micros = 0): string => {
  const whole = new Date(NOON + count * DAY_MS + Math.floor(micros / 1000)).toISOString().slice(0, -1);
  return `${whole}${String(((micros % 1000) + 1000) % 1000).padStart(3, '0')}Z`;
};

const person = () => ({ email: `${unique('p')}@people.example` });

const text = (fields: object): object => ({
  modality: 'text',
  message_direction: 'received',
  content: 'Hello?',
  ...fields,
});

const email = (fields: object, metadata: object = {}): object =>
  text({ modality: 'email', email_metadata: { email_message_id: newMessageId(), ...metadata }, ...fields });

let workspace: Workspace;
beforeAll(async () => {
  workspace = await newWorkspace({ bound: false });
});

const post = (body: object): Promise<Answer> => workspace.api.post('messages', body);
const record = (body: object): Promise<Json> => ok(post(body));
const conversationOf = ({ conversation_id }: Json): Promise<Json> =>
  ok(workspace.api.get(`conversations/${conversation_id}`));
const contactOf = async (message: Json): Promise<Json> =>
  ok(workspace.api.get(`contacts/${(await conversationOf(message)).contact_id}`));
const createContact = (body: object): Promise<Json> => ok(workspace.api.post('contacts', body));
const newAgent = async (): Promise<string> =>
  (await ok(workspace.adminApi.post('agents', { name: 'Alan Turing' }))).agent_id;

describe('recording a message', () => {
  it('answers 201 with the message, all that was left out at its default', async () => {
    const answer = await post(text({ contact: person(), sent_at: '2026-03-01T12:00:00Z' }));
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      message_id: expect.stringMatching(/^msg_/),
      conversation_id: expect.stringMatching(/^conv_/),
      agent_id: null,
      modality: 'text',
      message_direction: 'received',
      is_form_request: false,
      subject: null,
      content: 'Hello?',
      call_transcript: null,
      form_request_body: null,
      sent_at: '2026-03-01T12:00:00.000000Z',
      drafted_at: null,
      email_metadata: { email_message_id: null, cc_emails: [], bcc_emails: [] },
      call_metadata: { duration: null },
      tracked_links: [],
    });
  });

  it('gives back every field as it was given', async () => {
    const fields = {
      modality: 'email',
      message_direction: 'sent',
      agent_id: workspace.agentId,
      subject: ' Größe 43? ',
      content: ' two\nlines 🎉 ',
      sent_at: '2026-03-01T12:00:00.123456Z',
      drafted_at: '2026-03-01T11:00:00.000001Z',
      is_form_request: true,
      form_request_body: { campaign: { utm_source: 'x' }, fields: { size: 43, list: [null, true] } },
      call_transcript: 'none',
      call_metadata: { duration: 61 },
    };
    const email_metadata = {
      email_message_id: newMessageId(),
      cc_emails: ['a@people.example'],
      bcc_emails: ['b@people.example'],
    };
    const recorded = await record({ ...fields, email_metadata, contact: person() });
    expect(recorded).toMatchObject({ ...fields, email_metadata });
    const { conversation_id, message_id } = recorded;
    expect(await ok(workspace.api.get(`conversations/${conversation_id}/messages/${message_id}`))).toEqual(
      recorded,
    );
  });

  it('takes any lower-case word as a channel', async () => {
    expect((await record(text({ modality: 'carrier_pigeon', contact: person() }))).modality).toBe(
      'carrier_pigeon',
    );
  });

  it('takes a call without content, with its duration and transcript', async () => {
    const call = { modality: 'call', content: '', call_metadata: { duration: 0 }, call_transcript: 'Hi.' };
    expect(await record(text({ ...call, contact: person() }))).toMatchObject(call);
  });

  it('takes now for sent_at when it is left out', async () => {
    const before = new Date().toISOString();
    const { sent_at } = await record(text({ contact: person() }));
    expect(sent_at >= before.slice(0, -1)).toBe(true);
    expect(sent_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it('normalises sent_at to UTC and keeps its microseconds', async () => {
    const { sent_at } = await record(
      text({ contact: person(), sent_at: '2026-03-01T00:30:00.000009+01:00' }),
    );
    expect(sent_at).toBe('2026-02-28T23:30:00.000009Z');
  });

  it.each(['0001-01-02T00:00:00Z', '1000-01-02T00:00:00.000001Z', '9999-12-31T23:59:59.999999Z'])(
    'takes %s, as far from today as it is, for a message without conversation',
    async (sent_at) => {
      const recorded = await record(text({ contact: person(), sent_at }));
      expect(recorded.sent_at.slice(0, 19)).toBe(sent_at.slice(0, 19));
      expect((await conversationOf(recorded)).start_at).toBe(recorded.sent_at);
    },
  );

  it('puts the conversation into the folder it names, unless a later one has named another', async () => {
    const first = await record(text({ contact: person(), folder: 'Leads' }));
    expect((await conversationOf(first)).folder).toBe('Leads');
    const { conversation_id } = first;
    await record(text({ conversation_id }));
    expect((await conversationOf(first)).folder).toBe('Leads');
    await record(text({ conversation_id, folder: 'Won' }));
    expect((await conversationOf(first)).folder).toBe('Won');
    await record(text({ conversation_id, folder: 'Leads', sent_at: days(1) }));
    expect((await conversationOf(first)).folder).toBe('Won');
  });

  const long = (count: number) =>
    Array.from({ length: count }, (_, nr) => String.fromCharCode(0x4e00 + ((nr * 7919) % 20_000))).join('');

  it('keeps 1,000 characters of any script in external_id, and knows them again', async () => {
    const body = text({ contact: person(), external_id: long(1_000) });
    const first = await post(body);
    const second = await post(body);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
  });

  it('keeps 1,000 characters of any script in email_message_id, and threads by them', async () => {
    const email_message_id = long(1_000);
    const first = await record(email({ contact: person() }, { email_message_id }));
    const second = await record(email({ contact: person() }, { in_reply_to: email_message_id }));
    expect(second.conversation_id).toBe(first.conversation_id);
  });

  it('takes content of a million characters, and not one more', async () => {
    const taken = await record(text({ contact: person(), content: 'é'.repeat(1_000_000) }));
    expect(taken.content).toHaveLength(1_000_000);
    const { status, body } = await post(text({ contact: person(), content: 'x'.repeat(1_000_001) }));
    expect(status).toBe(400);
    expect(body.detail).toContain('content');
  });

  it('refuses a body of more than 2 MiB with 413', async () => {
    const { status, body } = await post(text({ contact: person(), content: 'x'.repeat(2 * 1024 * 1024) }));
    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });

  const refused: [string, object][] = [
    // Null is for what a message shows as null.
    ...['conversation_id', 'sent_at', 'external_id', 'email_metadata', 'call_metadata'].map(
      (field): [string, object] => [field, { [field]: null }],
    ),
    ...['cc_emails', 'bcc_emails', 'in_reply_to', 'references'].map((field): [string, object] => [
      field,
      { email_metadata: { [field]: null } },
    ]),
    ['modality', { modality: undefined }],
    ['modality', { modality: 'E-Mail' }],
    ['modality', { modality: '' }],
    ['message_direction', { message_direction: undefined }],
    ['message_direction', { message_direction: 'inbound' }],
    ['content', { content: undefined }],
    ['content', { content: null }],
    ['content', { content: 7 }],
    ['content', { content: '' }],
    ['content', { content: 'a\u0000b' }],
    ['content', { content: 'a\ud800b' }],
    ['contact', { contact: undefined }],
    ['contact', { contact: null }],
    ['contact', { contact: [] }],
    ['contact', { contact: {} }],
    ['contact', { contact: { name: '', email: '', phone_number: '' } }],
    ['contact', { contact: { contact_id: `contact_${UNKNOWN}`, name: 'Mary' } }],
    ['email', { contact: { email: 'nobody' } }],
    ['phone_number', { contact: { phone_number: '123' } }],
    ['phone_number', { contact: { phone_number: '555-HELLO-99' } }],
    ['contact_id', { contact: { contact_id: `contact_${UNKNOWN}` } }],
    ['contact_id', { contact: { contact_id: 'nonsense' } }],
    ['nickname', { contact: { email: 'a@people.example', nickname: 'A' } }],
    ['conversation_id', { conversation_id: `conv_${UNKNOWN}` }],
    ['conversation_id', { conversation_id: 'nonsense' }],
    ['agent_id', { agent_id: `agent_${UNKNOWN}` }],
    ['agent_id', { agent_id: 'nonsense' }],
    ['sent_at', { sent_at: '2026-03-01' }],
    ['sent_at', { sent_at: '2026-02-30T00:00:00Z' }],
    ['sent_at', { sent_at: '0000-01-01T00:00:00Z' }],
    ['sent_at', { sent_at: 1_772_000_000 }],
    ['drafted_at', { drafted_at: 'yesterday' }],
    ['subject', { subject: 'x'.repeat(1_001) }],
    ['duration', { call_metadata: { duration: -1 } }],
    ['duration', { call_metadata: { duration: 1.5 } }],
    ['duration', { call_metadata: { duration: '61' } }],
    ['is_form_request', { is_form_request: 'yes' }],
    ['form_request_body', { is_form_request: true, form_request_body: ['a'] }],
    ['cc_emails', { email_metadata: { cc_emails: ['nobody'] } }],
    ['cc_emails', { email_metadata: { cc_emails: 'a@people.example' } }],
    ['in_reply_to', { email_metadata: { in_reply_to: 7 } }],
    ['external_id', { external_id: 'x'.repeat(1_001) }],
    ['foldr', { foldr: 'inbox' }],
    ['message_id', { message_id: `msg_${UNKNOWN}` }],
  ];

  it.each(refused)('refuses a bad %s with 400 and records nothing (%#)', async (field, fields) => {
    const before = await ok(workspace.api.get('conversations', { limit: 1 }));
    const { status, body } = await post(text({ contact: person(), ...fields }));
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.detail).toContain(field);
    expect(await ok(workspace.api.get('conversations', { limit: 1 }))).toEqual(before);
  });

  it('names every unknown field', async () => {
    const { body } = await post(text({ contact: person(), one: 1, two: 2 }));
    expect(body.errors.map(({ field }: Json) => field)).toEqual(['one', 'two']);
  });

  it('refuses contact, agent and conversation of another organization like unknown ones', async () => {
    const other = await newWorkspace();
    const { contact_id } = await ok(other.api.post('contacts', { name: 'Nobody' }));
    const { conversation_id } = await ok(other.api.post('messages', text({ contact: { contact_id } })));
    const answers = await Promise.all([
      post(text({ contact: { contact_id } })),
      post(text({ contact: person(), agent_id: other.agentId })),
      post(text({ conversation_id })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(answers.map(({ body }) => body.errors[0].field)).toEqual([
      'contact.contact_id',
      'agent_id',
      'conversation_id',
    ]);
  });

  it('refuses JSON nested too deep, with 400', async () => {
    const raw = `{"form_request_body":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`;
    const headers = { 'content-type': 'application/json' };
    expect((await workspace.api.send('POST', 'messages', { raw, headers })).status).toBe(400);
  });

  it('is refused to a read-only key with 403, and without a key with 401', async () => {
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
    const reader = apiOf(workspace.organizationId, api_key);
    const body = text({ contact: person() });
    expect((await reader.post('messages', body)).status).toBe(403);
    expect((await workspace.api.with({ 'x-api-key': '' }).post('messages', body)).status).toBe(401);
  });
});

describe('the contact of a message', () => {
  it('is created from name, e-mail and phone number when nobody matches', async () => {
    const contact = { name: 'Mary', ...person(), phone_number: '(212) 555-0187' };
    expect(await contactOf(await record(text({ contact })))).toMatchObject(contact);
  });

  it('is created with empty strings for what is not known', async () => {
    expect(await contactOf(await record(text({ contact: { name: 'Mary' } })))).toMatchObject({
      name: 'Mary',
      email: '',
      phone_number: '',
      company_id: null,
    });
  });

  it('is the one given by contact_id', async () => {
    const { contact_id } = await createContact({ name: 'Mary' });
    expect((await conversationOf(await record(text({ contact: { contact_id } })))).contact_id).toBe(
      contact_id,
    );
  });

  it('is matched by e-mail address in any case, and keeps its own data', async () => {
    const address = person().email;
    const known = await createContact({ name: 'Mary', email: address });
    const contact = { name: 'Somebody Else', email: address.toUpperCase() };
    expect(await contactOf(await record(text({ contact })))).toEqual(known);
  });

  it.each([
    ['US', '(212) 555-0123', '+1 212 555 0123'],
    ['US', '+12125550123', '212.555.0123'],
    ['DE', '030 1234567', '+49 (30) 123 45 67'],
  ])('is matched by phone number however it is written (%s: %s, %s)', async (default_region, one, other) => {
    const { api } = await newWorkspace({ organization: { default_region } });
    const known = await ok(api.post('contacts', { name: 'Mary', phone_number: one }));
    const { conversation_id } = await ok(api.post('messages', text({ contact: { phone_number: other } })));
    expect((await ok(api.get(`conversations/${conversation_id}`))).contact_id).toBe(known.contact_id);
  });

  it('is the oldest of several that match', async () => {
    const address = person().email;
    const phone_number = '+1 212 555 0166';
    const older = await createContact({ name: 'By phone', phone_number });
    await createContact({ name: 'By e-mail', email: address });
    await createContact({ name: 'By e-mail, too', email: address });
    const message = await record(text({ contact: { email: address, phone_number } }));
    expect((await conversationOf(message)).contact_id).toBe(older.contact_id);
  });

  it('is never matched by name alone', async () => {
    const known = await createContact({ name: 'Mary' });
    const message = await record(text({ contact: { name: 'Mary' } }));
    expect((await conversationOf(message)).contact_id).not.toBe(known.contact_id);
  });

  it('is not looked for in another organization', async () => {
    const contact = person();
    await record(text({ contact }));
    const other = await newWorkspace();
    await ok(other.api.post('messages', text({ contact })));
    expect((await ok(other.api.get('contacts'))).data).toHaveLength(1);
  });

  it('is created once when many first messages of one person come in at once', async () => {
    const { email } = person();
    const recorded = await Promise.all(
      Array.from({ length: 20 }, (_, nr) =>
        record(text({ contact: { email: nr % 2 ? email : email.toUpperCase() }, content: `${nr}` })),
      ),
    );
    expect((await ok(workspace.api.get('contacts', { email }))).data).toHaveLength(1);
    expect(new Set(recorded.map(({ conversation_id }) => conversation_id)).size).toBe(1);
    expect(await messagesOf(workspace, recorded[0])).toHaveLength(20);
  });
});

describe('the conversation of a message', () => {
  it.each([{}, { name: '', email: '' }])(
    'is the given one, beside a contact that tells nothing: %j',
    async (contact) => {
      const { conversation_id, from } = await record(text({ contact: person() }));
      const message = await record(text({ conversation_id, contact }));
      expect(message).toMatchObject({ conversation_id, from: { contact_id: from.contact_id } });
    },
  );

  it('is the given one, whoever the contact is', async () => {
    const { conversation_id } = await record(text({ contact: person() }));
    expect(await record(text({ conversation_id, modality: 'email' }))).toMatchObject({ conversation_id });
    expect(await record(text({ conversation_id, contact: person() }))).toMatchObject({ conversation_id });
  });

  it.each<[string, (id: string) => object]>([
    ['in_reply_to', (id) => ({ in_reply_to: id })],
    ['in_reply_to without angle brackets', (id) => ({ in_reply_to: id.slice(1, -1) })],
    ['references, a string of several', (id) => ({ references: `<other@x.example> ${id}` })],
    [
      'references, a string of several without spaces',
      (id) => ({ references: `<other@x.example>${id}(old)` }),
    ],
    [
      'references, some without angle brackets',
      (id) => ({ references: `other@x.example ${id}, more@x.example` }),
    ],
    ['references, an array', (id) => ({ references: ['<other@x.example>', id] })],
    ['references when in_reply_to is unknown', (id) => ({ in_reply_to: '<no@x.example>', references: id })],
  ])('is that of the e-mail it answers: %s', async (_, metadata) => {
    const id = newMessageId();
    const contact = person();
    const first = await record(email({ contact }, { email_message_id: id }));
    const answer = await record(email({ contact }, metadata(id)));
    expect(answer.conversation_id).toBe(first.conversation_id);
  });

  it('is that of the e-mail it answers when that was recorded without angle brackets', async () => {
    const id = newMessageId();
    const first = await record(email({ contact: person() }, { email_message_id: id.slice(1, -1) }));
    expect((await record(email({ contact: person() }, { in_reply_to: id }))).conversation_id).toBe(
      first.conversation_id,
    );
  });

  it('is that of the thread even when somebody else answers; its contact stays', async () => {
    const id = newMessageId();
    const first = await record(email({ contact: person() }, { email_message_id: id }));
    const { contact_id } = await conversationOf(first);
    const answer = await record(email({ contact: person() }, { in_reply_to: id }));
    expect(await conversationOf(answer)).toMatchObject({
      conversation_id: first.conversation_id,
      contact_id,
    });
  });

  it('is a new one for an e-mail that answers nothing known, however recent the last is', async () => {
    const contact = person();
    const first = await record(email({ contact, sent_at: days(0) }));
    const second = await record(email({ contact, sent_at: days(0, 1) }, { in_reply_to: '<no@x.example>' }));
    expect(second.conversation_id).not.toBe(first.conversation_id);
  });

  it('is not one of another organization, even when the Message-ID is the same', async () => {
    const id = newMessageId();
    const first = await record(email({ contact: person() }, { email_message_id: id }));
    const other = await newWorkspace();
    const answer = await ok(other.api.post('messages', email({ contact: person() }, { in_reply_to: id })));
    expect(answer.conversation_id).not.toBe(first.conversation_id);
  });

  it.each([
    ['one microsecond less than 30 days old', days(30, -1), true],
    ['exactly 30 days old', days(30), false],
    ['older than 30 days', days(31), false],
  ])('is the latest on the same channel whose last message is %s: %s → %s', async (_, sent_at, same) => {
    const contact = person();
    const first = await record(text({ contact, sent_at: days(0) }));
    const second = await record(text({ contact, sent_at }));
    expect(second.conversation_id === first.conversation_id).toBe(same);
  });

  it('goes on for as long as each message is younger than 30 days', async () => {
    const contact = person();
    const recorded = [];
    for (const day of [0, 29, 58, 87]) recorded.push(await record(text({ contact, sent_at: days(day) })));
    expect(new Set(recorded.map(({ conversation_id }) => conversation_id)).size).toBe(1);
  });

  it('is a new one on another channel', async () => {
    const contact = person();
    const ids = [];
    for (const modality of ['text', 'call', 'live_chat', 'carrier_pigeon'])
      ids.push((await record(text({ contact, modality }))).conversation_id);
    expect(new Set(ids).size).toBe(4);
  });

  it('is the latest that matches, not the latest of all', async () => {
    const contact = person();
    const older = await record(text({ contact, sent_at: days(0) }));
    const texts = await record(text({ contact, sent_at: days(40) }));
    await record(text({ contact, modality: 'call', sent_at: days(41) }));
    const next = await record(text({ contact, sent_at: days(42) }));
    expect(older.conversation_id).not.toBe(texts.conversation_id);
    expect(next.conversation_id).toBe(texts.conversation_id);
  });

  it('goes by the channel of the last message before it, whatever has come since', async () => {
    const contact = person();
    const first = await record(text({ contact, sent_at: days(0) }));
    const { conversation_id } = first;
    await record(text({ conversation_id, modality: 'email', sent_at: days(3) }));
    const late = [days(1), days(2)].map((sent_at) => record(text({ contact, sent_at })));
    for (const message of await Promise.all(late)) expect(message).toMatchObject({ conversation_id });
    expect((await record(text({ contact, sent_at: days(4) }))).conversation_id).not.toBe(conversation_id);
  });

  it('goes by the channel of the last message', async () => {
    const contact = person();
    const first = await record(text({ contact, sent_at: days(0) }));
    await record(
      text({ conversation_id: first.conversation_id, modality: 'call', sent_at: days(1), content: 'c' }),
    );
    expect((await record(text({ contact, sent_at: days(2) }))).conversation_id).not.toBe(
      first.conversation_id,
    );
    expect((await record(text({ contact, modality: 'call', sent_at: days(3) }))).conversation_id).toBe(
      first.conversation_id,
    );
  });

  it('is found for a sent message, too', async () => {
    const contact = person();
    const first = await record(text({ contact, sent_at: days(0) }));
    const answer = await record(text({ contact, message_direction: 'sent', sent_at: days(1) }));
    expect(answer.conversation_id).toBe(first.conversation_id);
  });
});

describe('what a conversation derives from its messages', () => {
  const permutations = <Item>(items: Item[]): Item[][] =>
    items.length < 2
      ? [items]
      : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));

  const received = (day: number) => ({ message_direction: 'received', sent_at: days(day) });
  const sent = (day: number, agent_id: string | null) => ({
    message_direction: 'sent',
    sent_at: days(day),
    agent_id,
  });

  /** Records the messages in every order, each time with a new person; gives what the conversations then are. */
  const inEveryOrder = async (messages: object[], modality: string): Promise<Json[]> =>
    Promise.all(
      permutations(messages).map(async (order) => {
        const contact = person();
        let conversation_id: string | undefined;
        for (const fields of order) {
          const body = { ...text({ contact, modality }), ...fields, conversation_id };
          conversation_id = (await record(body)).conversation_id;
        }
        return conversationOf({ conversation_id });
      }),
    );

  it.each(['text', 'email'])(
    'is the same in whatever order four messages arrive, the last of them sent (%s)',
    async (modality) => {
      const [first, second] = [await newAgent(), await newAgent()];
      const messages = [received(0), sent(1, first), received(2), sent(3, second)];
      const conversations = await inEveryOrder(messages, modality);
      expect(conversations).toHaveLength(24);
      for (const conversation of conversations)
        expect(conversation).toMatchObject({
          start_at: days(0),
          last_activity_at: days(3),
          is_read: true,
          agent_id: first,
        });
    },
  );

  it('is the same in whatever order four messages arrive, the last of them received', async () => {
    const [first, second] = [await newAgent(), await newAgent()];
    const messages = [sent(0, null), sent(1, first), sent(2, second), received(3)];
    for (const conversation of await inEveryOrder(messages, 'text'))
      expect(conversation).toMatchObject({
        start_at: days(0),
        last_activity_at: days(3),
        is_read: false,
        agent_id: first,
      });
  });

  it('is the same in whatever order messages arrive that find their conversation by contact', async () => {
    const agent = await newAgent();
    const all = permutations([received(0), received(1), sent(2, agent), received(3)]);
    const conversations = await Promise.all(
      all.map(async (order) => {
        const contact = person();
        for (const fields of order) await record({ ...text({ contact }), ...fields });
        const [{ contact_id }] = (await ok(workspace.api.get('contacts', { email: contact.email }))).data;
        return (await ok(workspace.api.get(`contacts/${contact_id}/conversations`))).data;
      }),
    );
    for (const ofContact of conversations)
      expect(ofContact).toEqual([
        expect.objectContaining({
          start_at: days(0),
          last_activity_at: days(3),
          is_read: false,
          agent_id: agent,
        }),
      ]);
  });

  it('follows the id where sent_at is equal', async () => {
    const contact = person();
    const answers = [];
    for (const message_direction of ['received', 'sent', 'received'])
      answers.push(await record(text({ contact, message_direction, sent_at: days(0) })));
    const last = answers.toSorted((one, other) => (one.message_id < other.message_id ? 1 : -1))[0];
    expect((await conversationOf(last)).is_read).toBe(last.message_direction === 'sent');
    expect((await messagesOf(workspace, last))[0]).toEqual(last);
  });

  it('is unread by a received message and read by a sent one', async () => {
    const contact = person();
    const first = await record(text({ contact, sent_at: days(0) }));
    expect((await conversationOf(first)).is_read).toBe(false);
    await record(text({ contact, message_direction: 'sent', sent_at: days(1) }));
    expect((await conversationOf(first)).is_read).toBe(true);
    await record(text({ contact, sent_at: days(2) }));
    expect((await conversationOf(first)).is_read).toBe(false);
  });

  it('stays as people set it when an older message comes late, and is unread again by a newer one', async () => {
    const contact = person();
    const first = await record(text({ contact, sent_at: days(5) }));
    await ok(workspace.api.patch(`conversations/${first.conversation_id}`, { is_read: true }));
    await record(text({ contact, sent_at: days(4) }));
    expect((await conversationOf(first)).is_read).toBe(true);
    await record(text({ contact, sent_at: days(6) }));
    expect((await conversationOf(first)).is_read).toBe(false);
  });

  it('is owned by the agent of the company of its contact, whoever sends in it', async () => {
    const [owner, sender] = [await newAgent(), await newAgent()];
    const { company_id } = await ok(workspace.api.post('companies', { name: 'Navy', agent_id: owner }));
    const { contact_id } = await createContact({ name: 'Grace', company_id });
    const first = await record(text({ contact: { contact_id } }));
    await record(
      text({ conversation_id: first.conversation_id, message_direction: 'sent', agent_id: sender }),
    );
    expect((await conversationOf(first)).agent_id).toBe(owner);
  });

  it('is owned by the first agent who sends when the company has none', async () => {
    const sender = await newAgent();
    const { company_id } = await ok(workspace.api.post('companies', { name: 'Navy' }));
    const { contact_id } = await createContact({ name: 'Grace', company_id });
    const first = await record(text({ contact: { contact_id } }));
    expect((await conversationOf(first)).agent_id).toBeNull();
    await record(
      text({ conversation_id: first.conversation_id, message_direction: 'sent', agent_id: sender }),
    );
    expect((await conversationOf(first)).agent_id).toBe(sender);
  });

  it('is not owned by an agent who only received', async () => {
    const message = await record(text({ contact: person(), modality: 'call', agent_id: await newAgent() }));
    expect((await conversationOf(message)).agent_id).toBeNull();
  });

  it('is owned by whom people named, whatever is sent before or after', async () => {
    const [named, sender] = [await newAgent(), await newAgent()];
    const first = await record(text({ contact: person(), sent_at: days(5) }));
    const { conversation_id } = first;
    await ok(workspace.api.patch(`conversations/${conversation_id}`, { agent_id: named }));
    for (const day of [4, 6])
      await record(
        text({ conversation_id, message_direction: 'sent', agent_id: sender, sent_at: days(day) }),
      );
    expect((await conversationOf(first)).agent_id).toBe(named);
  });

  it('is right when thirty messages come in at once', async () => {
    const { conversation_id } = await record(text({ contact: person(), sent_at: days(1) }));
    await Promise.all(
      Array.from({ length: 30 }, (_, nr) =>
        record(
          text({ conversation_id, sent_at: days(0, nr), message_direction: nr % 2 ? 'sent' : 'received' }),
        ),
      ),
    );
    expect(await conversationOf({ conversation_id })).toMatchObject({
      start_at: days(0),
      last_activity_at: days(1),
      is_read: false,
    });
    expect(await messagesOf(workspace, { conversation_id })).toHaveLength(31);
  });
});

describe('a mail that is recorded again', () => {
  const mail = (email_message_id: string, fields: object = {}) => ({
    ...text({ contact: person(), ...fields }),
    modality: 'email',
    email_metadata: { email_message_id },
  });

  it('answers 200 with the one that has its Message-ID, with or without brackets', async () => {
    const id = `${unique('mail')}@navy.example`;
    const first = await post(mail(id));
    const again = await post(mail(`<${id}>`, { content: 'Other' }));
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
  });

  it('is one message of 8 posts at once', async () => {
    const id = `${unique('mail')}@navy.example`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(mail(id))));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.message_id)).size).toBe(1);
  });

  it.each(['', ' ', '<>', '< >', '<', '>'])(
    'is not one that has as little of a Message-ID: %j',
    async (none) => {
      const answers = [await post(mail(none)), await post(mail(none))];
      for (const { status, body } of answers)
        expect([status, body.email_metadata.email_message_id]).toEqual([201, null]);
    },
  );

  it('is the same message under whatever external_id', async () => {
    const id = `${unique('mail')}@navy.example`;
    const answers = [await post(mail(id, { external_id: unique('ext') }))];
    for (const external_id of [unique('ext'), undefined]) answers.push(await post(mail(id, { external_id })));
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.message_id)).size).toBe(1);
  });
});

describe('a repeated external_id', () => {
  it('answers 200 with the message recorded before and changes nothing', async () => {
    const contact = person();
    const external_id = unique('ext');
    const first = await post(text({ contact, external_id, sent_at: days(0) }));
    const before = await conversationOf(first.body);
    const again = await post(
      text({ contact: person(), external_id, content: 'Other', sent_at: days(1), folder: 'elsewhere' }),
    );
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(await conversationOf(first.body)).toEqual(before);
    expect(await messagesOf(workspace, first.body)).toHaveLength(1);
  });

  it('creates no contact', async () => {
    const external_id = unique('ext');
    await record(text({ contact: person(), external_id }));
    const stranger = person();
    await record(text({ contact: stranger, external_id }));
    expect((await ok(workspace.api.get('contacts', { email: stranger.email }))).data).toEqual([]);
  });

  it('is another message in another organization', async () => {
    const external_id = unique('ext');
    await record(text({ contact: person(), external_id }));
    const other = await newWorkspace();
    expect((await other.api.post('messages', text({ contact: person(), external_id }))).status).toBe(201);
  });

  it('counts as absent when it is empty', async () => {
    const contact = person();
    for (const external_id of ['', '']) expect((await post(text({ contact, external_id }))).status).toBe(201);
  });

  it('makes one message, one contact and one conversation of 32 posts at once', async () => {
    const contact = { name: 'Grace', ...person(), phone_number: '+1 212 555 0199' };
    const body = text({ contact, external_id: unique('ext') });
    const answers = await Promise.all(Array.from({ length: 32 }, () => post(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(31).fill(200), 201]);
    for (const answer of answers) expect(answer.body).toEqual(answers[0]!.body);
    const contacts = (await ok(workspace.api.get('contacts', { email: contact.email }))).data;
    expect(contacts).toHaveLength(1);
    const conversations = (await ok(workspace.api.get(`contacts/${contacts[0].contact_id}/conversations`)))
      .data;
    expect(conversations).toHaveLength(1);
    expect(await messagesOf(workspace, conversations[0])).toHaveLength(1);
  });

  it('makes one message of 32 posts at once whose contacts differ', async () => {
    const external_id = unique('ext');
    const people = Array.from({ length: 32 }, person);
    const answers = await Promise.all(people.map((contact) => post(text({ contact, external_id }))));
    expect(new Set(answers.map(({ body }) => body.message_id)).size).toBe(1);
    const created = await Promise.all(
      people.map(async ({ email }) => (await ok(workspace.api.get('contacts', { email }))).data.length),
    );
    expect(created.reduce((sum, count) => sum + count, 0)).toBe(1);
  });
});

describe('the messages of a conversation', () => {
  let conversation_id: string;
  const ids: string[] = [];

  beforeAll(async () => {
    ({ conversation_id } = await record(text({ contact: person(), sent_at: days(0, 1) })));
    for (const micros of [3, 3, 2])
      ids.push((await record(text({ conversation_id, sent_at: days(0, micros) }))).message_id);
    ids.push((await messagesOf(workspace, { conversation_id })).at(-1).message_id);
  });

  const list = async (query?: Query): Promise<string[]> =>
    (await ok(workspace.api.get(`conversations/${conversation_id}/messages`, query))).data.map(
      ({ message_id }: Json) => message_id,
    );

  it('are listed newest first, ties by id, both descending', async () => {
    expect(await list()).toEqual([...[ids[0]!, ids[1]!].sort().reverse(), ids[2], ids[3]]);
  });

  it('are filtered by sent_at, start included, end excluded', async () => {
    expect(await list({ start_date: days(0, 2), end_date: days(0, 3) })).toEqual([ids[2]]);
    expect(await list({ end_date: days(0, 2) })).toEqual([ids[3]]);
  });

  it('are paged without a gap or a repeat', async () => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const path = `conversations/${conversation_id}/messages`;
      const { data, pagination } = await ok(workspace.api.get(path, { limit: 1, cursor }));
      seen.push(...data.map(({ message_id }: Json) => message_id));
      cursor = pagination.next_cursor;
    }
    expect(seen).toEqual(await list());
  });

  it('refuse the cursor of another conversation', async () => {
    const { pagination } = await ok(
      workspace.api.get(`conversations/${conversation_id}/messages`, { limit: 1 }),
    );
    const other = await record(text({ contact: person() }));
    const path = `conversations/${other.conversation_id}/messages`;
    expect((await workspace.api.get(path, { cursor: pagination.next_cursor })).status).toBe(400);
  });

  it('answer 404 for a conversation that is unknown or of another organization', async () => {
    const other = await newWorkspace();
    for (const answer of [
      await workspace.api.get(`conversations/conv_${UNKNOWN}/messages`),
      await other.api.get(`conversations/${conversation_id}/messages`),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'conversation_not_found']);
  });
});

describe('one message', () => {
  it('is shown below its conversation', async () => {
    const message = await record(text({ contact: person() }));
    const path = `conversations/${message.conversation_id}/messages/${message.message_id}`;
    expect(await ok(workspace.api.get(path))).toEqual(message);
  });

  it('answers 404 when it is unknown, malformed, or of another conversation or organization', async () => {
    const message = await record(text({ contact: person() }));
    const elsewhere = await record(text({ contact: person() }));
    const other = await newWorkspace();
    const foreign = await ok(other.api.post('messages', text({ contact: person() })));
    const of = ({ conversation_id }: Json, id: string) => `conversations/${conversation_id}/messages/${id}`;
    for (const [path, code] of [
      [of(message, `msg_${UNKNOWN}`), 'message_not_found'],
      [of(message, 'nonsense'), 'message_not_found'],
      [of(message, elsewhere.message_id), 'message_not_found'],
      [of(foreign, foreign.message_id), 'conversation_not_found'],
      [of({ conversation_id: `conv_${UNKNOWN}` }, message.message_id), 'conversation_not_found'],
    ] as const) {
      const { status, body } = await workspace.api.get(path);
      expect([status, body.code]).toEqual([404, code]);
    }
  });
});
