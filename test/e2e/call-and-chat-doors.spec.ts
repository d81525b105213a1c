import { type Json, newWorkspace, ok, unique, type Workspace } from '../support/clients/client.js';
import {
  contentsOf,
  countsOf,
  FORM_ENCODED,
  pathOf,
  push,
  textChannel,
  thirtyTwo,
} from '../support/clients/doors.js';
import { expectProblem } from '../support/clients/expectations.js';

let workspace: Workspace;
let text: Json;
let chat: Json;

beforeEach(async () => {
  workspace = await newWorkspace();
  text = await textChannel(workspace);
  chat = await ok(workspace.adminApi.put('channels/live_chat', { provider: 'inbox' }));
});

const call = (fields: object = {}) => ({
  call_id: unique('CA'),
  direction: 'inbound',
  from: '+12125550101',
  to: '+12125550100',
  started_at: '2026-01-02T03:04:05Z',
  ...fields,
});
const visit = (fields: object = {}) => ({ visitor_id: 'visitor-1', text: 'In blue?', ...fields });
const pushCall = (body: unknown) => push(workspace, pathOf(text, 'call'), { body });
const pushChat = (body: unknown) => push(workspace, pathOf(chat, 'live_chat'), { body });
const contactOf = async ({ conversation_id }: Json): Promise<Json> => {
  const { contact_id } = await ok(workspace.api.get(`conversations/${conversation_id}`));
  return ok(workspace.api.get(`contacts/${contact_id}`));
};

describe('the door for calls', () => {
  it('answers 201 with an inbound call as a received message of who called', async () => {
    const told = call({
      duration: 61,
      transcript: 'Hello?',
      recording_url: 'https://rec.example/1',
      agent_id: workspace.agentId,
    });
    const { status, body } = await pushCall(told);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      modality: 'call',
      message_direction: 'received',
      agent_id: workspace.agentId,
      content: '',
      call_transcript: 'Hello?',
      call_metadata: { duration: 61, recording_url: 'https://rec.example/1' },
      sent_at: '2026-01-02T03:04:05.000000Z',
      external_id: `call:${told.call_id}`,
    });
    expect((await contactOf(body)).phone_number).toBe('+12125550101');
    const path = `conversations/${body.conversation_id}/messages/${body.message_id}`;
    expect(await ok(workspace.api.get(path))).toEqual(body);
  });

  it('takes an outbound call for a sent message to who was called', async () => {
    const { body } = await pushCall(
      call({ direction: 'outbound', from: '+12125550100', to: '+12125550109' }),
    );
    expect([body.message_direction, (await contactOf(body)).phone_number]).toEqual(['sent', '+12125550109']);
  });

  it('takes a caller who withholds their number for a contact of its own', async () => {
    const { status, body } = await pushCall(call({ from: 'anonymous' }));
    expect([status, (await contactOf(body)).phone_number]).toEqual([201, '']);
  });

  it('answers 200 to a repeat with the message as it was, and changes nothing', async () => {
    const told = call();
    const first = await pushCall(told);
    const again = await pushCall({ ...told, transcript: 'changed' });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await countsOf(workspace)).toEqual([1, 1, 1]);
  });

  it('makes one message, contact and conversation of a call that comes 32 times at once', async () => {
    const told = call();
    expect(await thirtyTwo(() => pushCall(told))).toEqual([...Array(31).fill(200), 201]);
    expect(await countsOf(workspace)).toEqual([1, 1, 1]);
  });

  it.each([
    ['call_id', { call_id: undefined }],
    ['call_id', { call_id: ' ' }],
    ['call_id', { call_id: 7 }],
    ['direction', { direction: 'up' }],
    ['from', { from: undefined }],
    ['from', { from: 'Grace' }],
    ['to', { to: '12' }],
    ['to', { to: 'anonymous' }],
    ['agent_id', { agent_id: 'agent_nobody' }],
    ['started_at', { started_at: '2026-01-02' }],
    ['started_at', { started_at: undefined }],
    ['duration', { duration: -1 }],
    ['duration', { duration: 1.5 }],
    ['transcript', { transcript: 7 }],
    ['recording_url', { recording_url: 'javascript:alert(1)' }],
    ['nonsense', { nonsense: 1 }],
    ['call_id', { call_id: 'a\u0000b' }],
  ])('refuses with 400, naming it, a wrong %s (%j)', async (field, wrong) => {
    expectProblem(await pushCall(call(wrong)), 400, 'validation_failed', field);
    expect(await countsOf(workspace)).toEqual([0, 0, 0]);
  });
});

describe('the door for live chat', () => {
  it('answers 201 with a received message of a contact who is named for the visitor', async () => {
    const { status, body } = await pushChat(visit({ sent_at: '2026-01-02T03:04:05Z' }));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      modality: 'live_chat',
      message_direction: 'received',
      content: 'In blue?',
      visitor_id: 'visitor-1',
      sent_at: '2026-01-02T03:04:05.000000Z',
    });
    expect((await contactOf(body)).name).toBe('Visitor visitor-1');
  });

  it('keeps a visitor in one conversation, who says who they are later or never', async () => {
    const first = await ok(pushChat(visit()));
    const second = await ok(pushChat(visit({ text: 'Or in red?', email: 'grace@navy.example' })));
    const third = await ok(pushChat(visit({ text: 'Hello?' })));
    expect([second.conversation_id, third.conversation_id]).toEqual([
      first.conversation_id,
      first.conversation_id,
    ]);
    expect((await contactOf(third)).email).toBe('grace@navy.example');
    expect(await countsOf(workspace)).toEqual([3, 1, 1]);
  });

  it('names the contact when the visitor gives a name, and takes another address for another person', async () => {
    const first = await ok(pushChat(visit({ email: 'grace@navy.example' })));
    await ok(pushChat(visit({ name: 'Grace Hopper' })));
    expect((await contactOf(first)).name).toBe('Grace Hopper');
    await ok(pushChat(visit({ name: 'G.' })));
    expect((await contactOf(first)).name).toBe('Grace Hopper');
    const other = await ok(pushChat(visit({ name: 'Ada Byron', email: 'ada@navy.example' })));
    expect((await contactOf(other)).name).toBe('Ada Byron');
    expect((await ok(pushChat(visit()))).conversation_id).toBe(other.conversation_id);
    expect(await countsOf(workspace)).toEqual([5, 2, 2]);
  });

  it('tells visitors apart', async () => {
    await ok(pushChat(visit()));
    await ok(pushChat(visit({ visitor_id: 'visitor-2' })));
    expect(await countsOf(workspace)).toEqual([2, 2, 2]);
  });

  it('finds the contact by e-mail or phone number', async () => {
    const { contact_id } = await ok(workspace.api.post('contacts', { email: 'grace@navy.example' }));
    const body = await ok(pushChat(visit({ email: 'Grace@Navy.example' })));
    expect((await contactOf(body)).contact_id).toBe(contact_id);
    expect((await contactOf(await ok(pushChat(visit())))).contact_id).toBe(contact_id);
  });

  it('answers 200 to a message_id that comes again with the same content, and takes that of another visitor', async () => {
    const first = await pushChat(visit({ message_id: '1' }));
    const again = await pushChat(visit({ message_id: '1', email: null }));
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await pushChat(visit({ message_id: '1', visitor_id: 'visitor-2' }))).status).toBe(201);
  });

  it('records whatever comes with a message_id that is known', async () => {
    const told = visit({ message_id: '1', email: 'grace@navy.example' });
    const answers = [
      await pushChat(told),
      await pushChat({ ...told, text: 'changed' }),
      await pushChat({ ...told, email: 'ada@navy.example' }),
      await pushChat({ ...told, name: 'Grace' }),
      await pushChat({ ...told, sent_at: '2026-01-02T03:04:05Z' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    for (const id of ['message_id', 'external_id'])
      expect(new Set(answers.map(({ body }) => body[id])).size).toBe(answers.length);
  });

  it('makes one message, contact and conversation of what comes 32 times at once', async () => {
    const told = visit({ message_id: 'm-1' });
    expect(await thirtyTwo(() => pushChat(told))).toEqual([...Array(31).fill(200), 201]);
    expect(await countsOf(workspace)).toEqual([1, 1, 1]);
  });

  it('puts 32 different messages of one new visitor into one conversation', async () => {
    expect(await thirtyTwo(() => pushChat(visit()))).toEqual(Array(32).fill(201));
    const { messages, contacts, conversations } = await contentsOf(workspace);
    expect([messages.length, contacts.length, conversations.length]).toEqual([32, 1, 1]);
  });

  it.each([
    ['visitor_id', { visitor_id: undefined }],
    ['visitor_id', { visitor_id: '' }],
    ['text', { text: undefined }],
    ['text', { text: ' ' }],
    ['message_id', { message_id: 7 }],
    ['email', { email: 'grace' }],
    ['phone_number', { phone_number: 'call me' }],
    ['sent_at', { sent_at: 'now' }],
    ['nonsense', { nonsense: 1 }],
  ])('refuses with 400, naming it, a wrong %s (%j)', async (field, wrong) => {
    expectProblem(await pushChat(visit(wrong)), 400, 'validation_failed', field);
    expect(await countsOf(workspace)).toEqual([0, 0, 0]);
  });
});

describe('both doors', () => {
  const doors = (): [path: string, body: object][] => [
    [pathOf(text, 'call'), call()],
    [pathOf(chat, 'live_chat'), visit()],
  ];

  it('refuse a wrong token, none, and that of another channel with 401', async () => {
    for (const [path, body] of doors()) {
      const [bare] = path.split('?');
      const other = new URL(
        (path === pathOf(text, 'call') ? chat : text).hooks[
          path === pathOf(text, 'call') ? 'live_chat' : 'call'
        ],
      ).search;
      for (const query of ['', '?token=', '?token=wrong', other])
        expectProblem(await push(workspace, `${bare}${query}`, { body }), 401, 'unauthorized');
    }
    expect(await countsOf(workspace)).toEqual([0, 0, 0]);
  });

  it('are no doors of channels for something else', async () => {
    const { search } = new URL(chat.hooks.live_chat);
    const path = `/hooks/v1/channels/${chat.channel_id}/call${search}`;
    expectProblem(await push(workspace, path, { body: call() }), 404, 'channel_not_found');
  });

  it('take JSON alone, up to 2 MiB', async () => {
    for (const [path] of doors()) {
      expectProblem(
        await push(workspace, path, { raw: 'a=b', headers: FORM_ENCODED }),
        415,
        'unsupported_media_type',
      );
      expectProblem(
        await push(workspace, path, { raw: 'x', headers: { 'content-type': 'message/rfc822' } }),
        415,
        'unsupported_media_type',
      );
      expectProblem(
        await push(workspace, path, { body: { text: 'x'.repeat(2 * 1024 * 1024) } }),
        413,
        'body_too_large',
      );
      expectProblem(
        await push(workspace, path, { raw: '{', headers: { 'content-type': 'application/json' } }),
        400,
        'validation_failed',
      );
      expectProblem(await push(workspace, path, { body: [] }), 400, 'validation_failed', 'body');
    }
  });
});
