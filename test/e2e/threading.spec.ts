import {
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { countsOf } from '../support/clients/doors.js';
import { newMessageId, postMail, rawMail } from '../support/data/mail.js';

let workspace: Workspace;
let channel: Json;
beforeAll(async () => {
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, 1);
});

const conversationOf = ({ conversation_id }: Json): Promise<Json> =>
  ok(workspace.api.get(`conversations/${conversation_id}`));
const person = () => `${unique('grace')}@navy.example`;

/** A thread of four mails of one person, a day apart, each naming all before it. */
function thread(from = person()): Buffer<ArrayBuffer>[] {
  const ids = Array.from({ length: 4 }, newMessageId);
  return ids.map((id, nr) =>
    rawMail({
      from,
      id,
      date: `Thu, ${String(nr + 1).padStart(2, '0')} Jan 2026 12:00:00 +0000`,
      inReplyTo: ids[nr - 1],
      references: nr === 0 ? undefined : ids.slice(0, nr).join(' '),
      body: `mail ${nr}`,
    }),
  );
}

const ORDERS = permutations([0, 1, 2, 3]);

function permutations(items: number[]): number[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item) =>
    permutations(items.filter((one) => one !== item)).map((rest) => [item, ...rest]),
  );
}

describe('a thread of mails', () => {
  it.each(ORDERS.map((order) => [order.join(', '), order] as const))(
    'is one conversation, the same as in order, when it arrives as %s',
    async (_, order) => {
      const mails = thread();
      const messages: Json[] = [];
      for (const nr of order) messages.push(await ok(postMail(channel, mails[nr]!)));
      expect(new Set(messages.map(({ conversation_id }) => conversation_id)).size).toBe(1);
      expect(await conversationOf(messages[0])).toMatchObject({
        start_at: '2026-01-01T12:00:00.000000Z',
        last_activity_at: '2026-01-04T12:00:00.000000Z',
        is_read: false,
      });
    },
  );

  it('is one conversation when it arrives all at once', async () => {
    for (let round = 0; round < 5; round++) {
      const messages = await Promise.all(thread().map((raw) => ok(postMail(channel, raw))));
      expect(new Set(messages.map(({ conversation_id }) => conversation_id)).size).toBe(1);
    }
  });

  it('takes the original in that arrives after its reply, whoever wrote it', async () => {
    const id = newMessageId();
    const reply = await ok(postMail(channel, rawMail({ from: person(), inReplyTo: id })));
    const original = await ok(
      workspace.api.post('messages', {
        modality: 'email',
        message_direction: 'sent',
        content: 'Blue is back.',
        contact: { email: person() },
        email_metadata: { email_message_id: id },
      }),
    );
    expect(original.conversation_id).toBe(reply.conversation_id);
  });

  it('keeps answers of two people to a mail that never came apart', async () => {
    const inReplyTo = newMessageId();
    const [one, other] = [
      await ok(postMail(channel, rawMail({ from: person(), inReplyTo }))),
      await ok(postMail(channel, rawMail({ from: person(), inReplyTo }))),
    ];
    expect(one.conversation_id).not.toBe(other.conversation_id);
  });

  it('follows the newest mail of References that is known', async () => {
    const [older, newer] = [newMessageId(), newMessageId()];
    await ok(postMail(channel, rawMail({ from: person(), id: older })));
    const latest = await ok(postMail(channel, rawMail({ from: person(), id: newer })));
    const reply = await ok(
      postMail(channel, rawMail({ from: person(), references: `${older} ${newer} ${newMessageId()}` })),
    );
    expect(reply.conversation_id).toBe(latest.conversation_id);
  });

  it('does not take a mail in again that was recorded through the API', async () => {
    const id = newMessageId();
    const from = person();
    const recorded = await ok(
      workspace.api.post('messages', {
        modality: 'email',
        message_direction: 'received',
        content: 'Hello',
        contact: { email: from },
        email_metadata: { email_message_id: id },
      }),
    );
    const answer = await postMail(channel, rawMail({ id, from }));
    expect([answer.status, answer.body]).toEqual([200, recorded]);
  });

  it('does not reach into another organization', async () => {
    const id = newMessageId();
    const reply = await ok(postMail(channel, rawMail({ inReplyTo: id })));
    const other = await newWorkspace();
    const original = await ok(postMail(await emailChannel(other, 1), rawMail({ id })));
    expect(original.conversation_id).not.toBe(reply.conversation_id);
    expect(await countsOf(other)).toEqual([1, 1, 1]);
  });
});

describe('a text', () => {
  const text = async (phone_number: string, sent_at: string): Promise<string> =>
    (
      await ok(
        workspace.api.post('messages', {
          modality: 'text',
          message_direction: 'received',
          content: 'Hello',
          contact: { phone_number },
          sent_at,
        }),
      )
    ).conversation_id;
  let numbers = 1_000;
  const number = () => `+1212555${numbers++}`;

  it('joins the conversation whose last text is less than 30 days older', async () => {
    const phone = number();
    const first = await text(phone, '2026-03-01T00:00:00Z');
    expect(await text(phone, '2026-03-30T23:59:59.999999Z')).toBe(first);
    expect(await text(phone, '2026-04-30T00:00:00Z')).not.toBe(first);
  });

  it('that comes late joins the conversation that would have gone on from it', async () => {
    const phone = number();
    const first = await text(phone, '2026-03-31T00:00:00Z');
    expect(await text(phone, '2026-03-01T00:00:00.000001Z')).toBe(first);
    expect(await conversationOf({ conversation_id: first })).toMatchObject({
      start_at: '2026-03-01T00:00:00.000001Z',
      last_activity_at: '2026-03-31T00:00:00.000000Z',
    });
  });

  it('that comes late joins none whose texts are all 30 days later or more', async () => {
    const phone = number();
    const first = await text(phone, '2026-03-31T00:00:00Z');
    expect(await text(phone, '2026-03-01T00:00:00Z')).not.toBe(first);
  });

  describe('beside calls that were answered by text', () => {
    const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T00:00:00Z`;
    const record = async (modality: string, day: number, where: object): Promise<string> =>
      (
        await ok(
          workspace.api.post('messages', {
            modality,
            message_direction: 'conversation_id' in where ? 'sent' : 'received',
            content: 'Hello',
            sent_at: at(day),
            ...where,
          }),
        )
      ).conversation_id;
    const answeredCall = async (phone_number: string): Promise<string> => {
      const conversation_id = await record('call', 10, { contact: { phone_number } });
      return record('text', 10, { conversation_id });
    };

    it('that comes late does not tie a call to the texts before it', async () => {
      const phone = number();
      const texts = await text(phone, at(1));
      const calls = await answeredCall(phone);
      expect(await text(phone, at(5))).toBe(texts);
      expect((await conversationOf({ conversation_id: calls })).start_at).toBe('2026-03-10T00:00:00.000000Z');
    });

    it('that comes late is not in the conversation of a later call', async () => {
      const phone = number();
      const calls = await answeredCall(phone);
      expect(await text(phone, at(5))).not.toBe(calls);
    });

    it('is joined by an earlier call that comes late', async () => {
      const phone = number();
      const calls = await answeredCall(phone);
      expect(await record('call', 5, { contact: { phone_number: phone } })).toBe(calls);
    });

    it('does not tie later texts to a conversation that has gone on by a call since', async () => {
      const phone = number();
      const first = await text(phone, at(1));
      await record('call', 10, { conversation_id: first });
      const later = await text(phone, at(20));
      expect(later).not.toBe(first);
      expect(await text(phone, at(5))).toBe(first);
      expect(await conversationOf({ conversation_id: later })).toMatchObject({ conversation_id: later });
    });
  });

  it('that comes late into a given conversation ties the text in that would have gone on from it', async () => {
    const phone = number();
    const first = await text(phone, '2026-03-01T00:00:00Z');
    const later = await text(phone, '2026-04-20T00:00:00Z');
    expect(later).not.toBe(first);
    await ok(
      workspace.api.post('messages', {
        modality: 'text',
        message_direction: 'sent',
        content: 'Still there?',
        conversation_id: first,
        sent_at: '2026-03-28T00:00:00Z',
      }),
    );
    expect(await text(phone, '2026-04-21T00:00:00Z')).toBe(first);
    const gone = await workspace.api.get(`conversations/${later}`);
    expect(gone.status).toBe(404);
  });
});
