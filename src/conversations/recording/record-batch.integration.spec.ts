import { AT_COMMAND_LINE, systemContext } from '#kernel/context.js';
import { CreateContact, handlersOn, type Handlers } from '../../../test/support/database/handlers.js';
import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { inbound } from '../inbound/inbound-message.js';
import type { MessageToRecord } from './message-to-record.js';
import { RecordMessage } from './record-batch.js';

let test: TestDatabase;
let handlers: Handlers;
let organizationId: string;
beforeAll(async () => {
  test = await testDatabase();
  handlers = handlersOn(test.database);
});
beforeEach(async () => {
  ({ organization_id: organizationId } = await handlers.organizations.create(AT_COMMAND_LINE, {
    name: 'Navy',
  }));
});
afterAll(() => test.close());

const person = (nr: number | string) => ({
  name: `Person ${nr}`,
  email: `person-${nr}@navy.example`,
  phone_number: '',
});

const text = (told: Partial<MessageToRecord>): MessageToRecord => ({
  ...inbound({ modality: 'text', content: 'Hello', external_id: null, party: person(1) }),
  ...told,
});

const record = (message: MessageToRecord, requestId = 'r') =>
  handlers.recordMessage.execute(new RecordMessage({ ...systemContext(organizationId), requestId }, message));

const recordAll = (messages: MessageToRecord[]) => Promise.all(messages.map((message) => record(message)));

const countOf = async (table: string) => {
  const [row] = await test.database.query<{ count: number }>({
    text: `SELECT count(*)::int AS count FROM ${table} WHERE organization_id = $1`,
    values: [organizationId],
  });
  return row!.count;
};

const conversationsOf = (recorded: { message: { conversation_id: string } }[]) =>
  new Set(recorded.map(({ message }) => message.conversation_id)).size;

describe('messages that come at the same time', () => {
  it('share transactions, each under the request that brought it, in conversations that are there, too', async () => {
    const nrs = Array.from({ length: 40 }, (_, nr) => nr);
    for (const round of ['first', 'second']) {
      const recorded = await Promise.all(
        nrs.map((nr) => record(text({ party: person(nr), content: `${round} ${nr}` }), `request ${nr}`)),
      );
      expect(recorded.map(({ message }) => message.content)).toEqual(nrs.map((nr) => `${round} ${nr}`));
      expect(conversationsOf(recorded)).toBe(40);
    }
    const events = await test.database.query<{ tx: string; content: string; request_id: string }>({
      text: `SELECT tx::text AS tx, data -> 'message' ->> 'content' AS content, meta ->> 'request_id' AS request_id
               FROM es_event WHERE organization_id = $1 AND stream_type = 'conversation'`,
      values: [organizationId],
    });
    expect(events).toHaveLength(80);
    expect(new Set(events.map(({ tx }) => tx)).size).toBeLessThan(20);
    for (const { content, request_id } of events) expect(request_id).toBe(`request ${content.split(' ')[1]}`);
  });

  it('by one person come to one conversation, whatever the person is known by', async () => {
    const { contact_id } = await handlers.createContact.execute(
      new CreateContact(systemContext(organizationId), {
        name: 'Grace',
        email: 'grace@navy.example',
        phone_number: '+12025550143',
      }),
    );
    const parties = [
      { contact_id },
      { name: '', email: 'grace@navy.example', phone_number: '' },
      { name: '', email: '', phone_number: '+1 202 555 0143' },
    ];
    // The first is on its way before the others come, which then share a transaction.
    const recorded = await recordAll(
      [person('else'), ...parties, ...parties].map((party) => text({ party })),
    );
    expect(conversationsOf(recorded.slice(1))).toBe(1);
    expect(await countOf('contact')).toBe(2);
  });

  it('with one external id are one message', async () => {
    const recorded = await recordAll(
      Array.from({ length: 12 }, (_, nr) => text({ external_id: 'once', party: person(nr) })),
    );
    expect(recorded.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(recorded.map(({ message }) => message.message_id)).size).toBe(1);
    expect(await countOf('message')).toBe(1);
  });

  it.each([
    [
      'a rule',
      (nr: number) => text({ conversation_id: `conv_${nr}`, party: person(`other ${nr}`) }),
      'there is no conversation',
    ],
    [
      'the database',
      (nr: number) => text({ content: 'U+0000: \0', party: person(`other ${nr}`) }),
      'unsupported Unicode',
    ],
  ])('do not fail because %s refuses others', async (_, refused, reason) => {
    const sound = Array.from({ length: 10 }, (__, nr) => text({ party: person(nr) }));
    // The first is alone.
    const outcomes = await Promise.allSettled(
      [refused(0), ...sound, refused(1), refused(2)].map((message) => record(message)),
    );
    const isSound = (__: unknown, nr: number) => nr > 0 && nr <= sound.length;
    expect(outcomes.filter(isSound).every(({ status }) => status === 'fulfilled')).toBe(true);
    const failed = outcomes.filter((__, nr) => !isSound(__, nr));
    for (const outcome of failed)
      expect(outcome).toMatchObject({ reason: { message: expect.stringContaining(reason) } });
    expect(await countOf('message')).toBe(sound.length);
  });

  it('do not wait for one of them that another process holds up', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let locked = () => {};
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const { email } = person('held');
    const holder = handlers.store.exclusively(organizationId, [`person:${email}`], async (tx) => {
      await tx.query({ text: 'SELECT 1' });
      locked();
      await held;
    });
    await isLocked;
    const waiting = ['a', 'b', 'c', 'd', 'e', 'f'].map((content) =>
      record(text({ party: person('held'), content })),
    );
    const others = await recordAll(Array.from({ length: 30 }, (_, nr) => text({ party: person(nr) })));
    expect(others.every(({ created }) => created)).toBe(true);
    expect(await countOf('message')).toBe(30);
    release();
    await holder;
    expect(conversationsOf(await Promise.all(waiting))).toBe(1);
  });

  it('to two processes are as if they had come to one', async () => {
    const processes = [handlers, handlersOn(test.database)];
    const people = ['0', '1', '2', '3'].map((nr) => ({
      name: '',
      email: person(nr).email,
      phone_number: `+1202555014${nr}`,
    }));
    const context = systemContext(organizationId);
    for (const party of people)
      await handlers.recordMessage.execute(new RecordMessage(context, text({ party })));
    const messages = Array.from({ length: 120 }, (_, nr) => {
      const known = people[nr % 4]!;
      const party = nr % 3 === 0 ? { ...known, email: '' } : { ...known, phone_number: '' };
      return text({ party, external_id: `text ${nr}` });
    });
    // Each comes to both.
    const recorded = await Promise.all(
      messages.flatMap((message) =>
        processes.map((one) => one.recordMessage.execute(new RecordMessage(context, message))),
      ),
    );
    expect(recorded.filter(({ created }) => created)).toHaveLength(messages.length);
    expect(conversationsOf(recorded)).toBe(people.length);
    expect(await countOf('message')).toBe(messages.length + people.length);
    expect(await countOf('contact')).toBe(people.length);
  });

  it('of one conversation are all recorded, and it holds them all', async () => {
    const first = await record(text({}));
    const { conversation_id } = first.message;
    const recorded = await recordAll(
      Array.from({ length: 20 }, (_, nr) => text({ conversation_id, party: null, content: `${nr}` })),
    );
    expect(recorded.every(({ message }) => message.conversation_id === conversation_id)).toBe(true);
    expect(await countOf('message')).toBe(21);
    const [conversation] = await test.database.query<{ stream_version: number }>({
      text: 'SELECT stream_version FROM conversation WHERE organization_id = $1',
      values: [organizationId],
    });
    expect(conversation!.stream_version).toBe(21);
  });
});
