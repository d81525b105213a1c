import {
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { auditOf, changesOf } from '../support/clients/audit.js';
import { pathOf, push, pushText, textChannel, twilioText } from '../support/clients/doors.js';
import { expectProblem } from '../support/clients/expectations.js';
import { readFeed } from '../support/clients/feed.js';
import { bounceOf, messagesOf, newMessageId, postMail, rawMail, receivedMail } from '../support/data/mail.js';
import { until } from '../support/until.js';

let workspace: Workspace;
let channel: Json;

beforeAll(async () => {
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, 9);
});

const DAY = 86_400;
/** The instant so many seconds from now, as it is answered. */
const inSeconds = (seconds: number): string =>
  new Date(performance.timeOrigin + performance.now() + seconds * 1_000).toISOString().replace('Z', '000Z');
const pathTo = ({ conversation_id }: Json): string => `conversations/${conversation_id}`;
const shown = (one: Json): Promise<Json> => ok(workspace.api.get(pathTo(one)));
const patch = (one: Json, changes: object): Promise<Json> => ok(workspace.api.patch(pathTo(one), changes));
const statusOf = ({ status, snoozed_until }: Json): Json => ({ status, snoozed_until });
const OPEN = { status: 'open', snoozed_until: null };
const CLOSED = { status: 'closed', snoozed_until: null };
const snoozed = (seconds = DAY): Json => ({ status: 'snoozed', snoozed_until: inSeconds(seconds) });
const eventsOf = async ({ conversation_id }: Json): Promise<Json[]> =>
  (await readFeed(workspace.api, { record_id: conversation_id, limit: 200 })).data;
const further = ({ conversation_id }: Json, fields: object = {}): Promise<Json> =>
  receivedMail(workspace, { conversation_id, contact: undefined, ...fields });

describe('the status of a conversation', () => {
  it('is open at first, and is shown, audited and told by its changes', async () => {
    const one = await receivedMail(workspace);
    expect(statusOf(await shown(one))).toEqual(OPEN);
    const later = snoozed();
    expect(statusOf(await patch(one, later))).toEqual(later);
    expect(statusOf(await patch(one, { status: 'closed' }))).toEqual(CLOSED);
    expect(statusOf(await patch(one, { status: 'open', is_read: true }))).toEqual(OPEN);
    const [insert, ...updates] = await auditOf(workspace, one.conversation_id);
    expect(changesOf(insert)).toMatchObject({ status: [null, 'open'] });
    expect(updates.map(changesOf)).toEqual([
      { status: ['open', 'snoozed'], snoozed_until: [null, later.snoozed_until] },
      { status: ['snoozed', 'closed'], snoozed_until: [later.snoozed_until, null] },
      { status: ['closed', 'open'], is_read: [false, true] },
    ]);
    const [, ...events] = await eventsOf(one);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['ConversationTriaged', later],
      ['ConversationTriaged', CLOSED],
      ['ConversationTriaged', { status: 'open', is_read: true }],
    ]);
  });

  it('goes with an instant in the future, at most 366 days ahead, only while it is snoozed', async () => {
    const [open, asleep] = [await receivedMail(workspace), await receivedMail(workspace)];
    const ahead = inSeconds(DAY);
    await patch(asleep, { status: 'snoozed', snoozed_until: ahead });
    const wrong: [Json, Json, string][] = [
      [open, { status: 'snoozed' }, 'snoozed_until'],
      [open, { status: 'snoozed', snoozed_until: null }, 'snoozed_until'],
      [open, { status: 'snoozed', snoozed_until: inSeconds(-1) }, 'snoozed_until'],
      [open, { status: 'snoozed', snoozed_until: inSeconds(366 * DAY + 60) }, 'snoozed_until'],
      [open, { status: 'snoozed', snoozed_until: 'tomorrow' }, 'snoozed_until'],
      [open, { status: 'closed', snoozed_until: ahead }, 'snoozed_until'],
      [open, { status: 'open', snoozed_until: ahead }, 'snoozed_until'],
      [open, { snoozed_until: ahead }, 'snoozed_until'],
      [asleep, { status: 'snoozed' }, 'snoozed_until'],
      [asleep, { snoozed_until: null }, 'snoozed_until'],
      [asleep, { snoozed_until: inSeconds(-1) }, 'snoozed_until'],
      [asleep, { status: 'open', snoozed_until: ahead }, 'snoozed_until'],
      [open, { status: 'asleep' }, 'status'],
      [open, { status: null }, 'status'],
    ];
    const before = await Promise.all([open, asleep].map(shown));
    for (const [one, changes, field] of wrong) {
      const answer = await workspace.api.patch(pathTo(one), { is_read: true, ...changes });
      expectProblem(answer, 400, 'validation_failed', field);
    }
    expect(await Promise.all([open, asleep].map(shown))).toEqual(before);
    expect(
      statusOf(await patch(open, { status: 'snoozed', snoozed_until: inSeconds(366 * DAY - 60) })),
    ).toEqual({
      status: 'snoozed',
      snoozed_until: expect.any(String),
    });
  });

  it('moves to another instant by that alone', async () => {
    const one = await receivedMail(workspace);
    await patch(one, snoozed());
    const snoozed_until = inSeconds(2 * DAY);
    expect(statusOf(await patch(one, { snoozed_until }))).toEqual({ status: 'snoozed', snoozed_until });
  });

  it.each([
    ['closed', CLOSED],
    ['open', OPEN],
    ['snoozed', snoozed()],
  ])('is set again to %s without an event or another updated_at', async (_, status) => {
    const one = await receivedMail(workspace);
    const before = await patch(one, status);
    const events = await eventsOf(one);
    expect(await patch(one, status)).toEqual(before);
    if (status.status !== 'snoozed') expect(await patch(one, { snoozed_until: null })).toEqual(before);
    expect(await eventsOf(one)).toEqual(events);
    expect(before.last_activity_at).toBe(one.sent_at);
  });

  it('is not changed for whoever has not seen the message that came meanwhile', async () => {
    const one = await receivedMail(workspace);
    const { headers } = await workspace.api.get(pathTo(one));
    await further(one);
    const seen = workspace.api.with({ 'if-match': headers.get('etag')! });
    expect((await seen.patch(pathTo(one), { status: 'closed' })).status).toBe(412);
    expect(statusOf(await shown(one))).toEqual(OPEN);
  });

  it('of two that are merged is open before snoozed before closed, and the earlier instant', async () => {
    const [soon, late] = [snoozed(DAY), snoozed(2 * DAY)];
    for (const [one, other, both] of [
      [CLOSED, OPEN, OPEN],
      [late, OPEN, OPEN],
      [CLOSED, soon, soon],
      [late, soon, soon],
      [soon, late, soon],
      [CLOSED, CLOSED, CLOSED],
    ] as const) {
      const [into, from] = [await receivedMail(workspace), await receivedMail(workspace)];
      await patch(into, one);
      await patch(from, other);
      const body = { from_conversation_id: from.conversation_id };
      expect(statusOf(await ok(workspace.api.post(`${pathTo(into)}/merge`, body)))).toEqual(both);
      const taken = (await eventsOf(into)).find(({ type }) => type === 'ConversationTakenIn');
      expect(statusOf(taken!.data)).toEqual(both);
    }
  });

  it('of two that a late mail ties together is kept as well', async () => {
    const from = `${unique('grace')}@navy.example`;
    const [first, middle] = [newMessageId(), newMessageId()];
    const post = (fields: object): Promise<Json> => ok(postMail(channel, rawMail({ from, ...fields })));
    const opened = await post({ id: first, date: '01 Jan 2026 12:00:00 +0000' });
    const later = await post({ inReplyTo: middle, date: '03 Jan 2026 12:00:00 +0000' });
    expect(later.conversation_id).not.toBe(opened.conversation_id);
    await patch(opened, CLOSED);
    const until = snoozed();
    await patch(later, until);
    const tie = await post({ id: middle, inReplyTo: first, date: '02 Jan 2026 12:00:00 +0000' });
    expect(statusOf(await shown(tie))).toEqual(until);
  });
});

describe('a conversation that is snoozed or closed', () => {
  /** A form begins a conversation of its own. */
  const doors: [string, () => Promise<() => Promise<Json>>][] = [
    [
      'mail',
      async () => {
        const from = `${unique('grace')}@navy.example`;
        const first = await ok(postMail(channel, rawMail({ from, id: newMessageId() })));
        let inReplyTo = first.email_metadata.email_message_id;
        return async () => {
          const id = newMessageId();
          const message = await ok(postMail(channel, rawMail({ from, id, inReplyTo })));
          inReplyTo = id;
          return message;
        };
      },
    ],
    [
      'text',
      async () => {
        const texts = await textChannel(workspace);
        return async () => {
          const external_id = twilioText({ From: '+12125550142' });
          await pushText(workspace, texts, external_id);
          const { data } = await ok(workspace.api.get('conversations', { modality: 'text', limit: 1 }));
          return data[0];
        };
      },
    ],
    [
      'call',
      async () => {
        const texts = await textChannel(workspace);
        const call = { direction: 'inbound', from: '+12125550143', to: '+12125550100' };
        return () =>
          ok(
            push(workspace, pathOf(texts, 'call'), {
              body: { ...call, call_id: unique('CA'), started_at: inSeconds(0) },
            }),
          );
      },
    ],
    [
      'live chat',
      async () => {
        const chat = await ok(workspace.adminApi.put('channels/live_chat', { provider: 'inbox' }));
        return () =>
          ok(
            push(workspace, pathOf(chat, 'live_chat'), { body: { visitor_id: 'visitor-7', text: 'Hello?' } }),
          );
      },
    ],
    [
      'API',
      async () => {
        const one = await receivedMail(workspace);
        return () => further(one);
      },
    ],
  ];

  it.each(doors)('is opened by a message that comes by %s', async (_, door) => {
    const write = await door();
    const one = await write();
    for (const status of [CLOSED, snoozed()]) {
      await patch(one, status);
      const next = await write();
      expect(next.conversation_id).toBe(one.conversation_id);
      expect(statusOf(await shown(one))).toEqual(OPEN);
    }
    const updates = (await auditOf(workspace, one.conversation_id)).slice(1);
    expect(changesOf(updates.at(-1))).toMatchObject({ status: ['snoozed', 'open'] });
  });

  it.each([
    ['closed', CLOSED],
    ['snoozed', snoozed()],
  ])('stays %s for what is no new message of a person', async (_, status) => {
    const from = `${unique('grace')}@navy.example`;
    const one = await ok(postMail(channel, rawMail({ from, id: newMessageId() })));
    const inReplyTo = one.email_metadata.email_message_id;
    const sent = await further(one, { message_direction: 'sent', sent_at: inSeconds(0) });
    await patch(one, status);
    await ok(postMail(channel, rawMail({ from, inReplyTo, headers: ['Auto-Submitted: auto-replied'] })));
    await ok(postMail(channel, bounceOf(sent.email_metadata.email_message_id, from, { id: newMessageId() })));
    await further(one, { sent_at: '2026-01-01T00:00:00Z' });
    await further(one, { message_direction: 'sent', sent_at: inSeconds(0) });
    expect((await messagesOf(workspace, one)).length).toBe(5);
    expect(statusOf(await shown(one))).toEqual(status);
  });
});

describe('the filter status', () => {
  it('lists the conversations that have one of the given ones, in every order and page by page', async () => {
    const own = await newWorkspace();
    const ids: Record<string, string[]> = { open: [], snoozed: [], closed: [] };
    for (let nr = 0; nr < 9; nr++) {
      const sent_at = `2026-03-0${nr + 1}T10:00:00Z`;
      const { conversation_id } = await receivedMail(own, { sent_at });
      const status = [OPEN, snoozed(), CLOSED][nr % 3]!;
      await ok(own.api.patch(`conversations/${conversation_id}`, status));
      ids[status.status]!.unshift(conversation_id);
    }
    const listed = async (query: object): Promise<string[]> => {
      const found: string[] = [];
      for (let cursor: string | undefined; ;) {
        const { data, pagination } = await ok(
          own.api.get('conversations', { limit: 2, ...query, ...(cursor && { cursor }) }),
        );
        found.push(...data.map(({ conversation_id }: Json) => conversation_id));
        if (!pagination.has_more) return found;
        cursor = pagination.next_cursor;
      }
    };
    const all = await listed({});
    for (const given of [
      ['open'],
      ['closed'],
      ['snoozed', 'closed'],
      ['closed', 'open', 'closed'],
      Object.keys(ids),
    ]) {
      const expected = all.filter((id) => given.some((status) => ids[status]!.includes(id)));
      expect(await listed({ status: given })).toEqual(expected);
      expect(await listed({ status: given.join(',') })).toEqual(expected);
      expect(await listed({ status: given, sort: 'last_activity_at' })).toEqual(expected.toReversed());
      expect(await listed({ status: given, sort: 'waiting_since' })).toEqual(expected.toReversed());
      expect(await listed({ status: given, is_read: false })).toEqual(expected);
      expect((await listed({ status: given, updated_since: '2026-01-01T00:00:00Z' })).sort()).toEqual(
        expected.toSorted(),
      );
    }
  });

  it('refuses another word and names those that are known', async () => {
    const answer = await workspace.api.get('conversations', { status: 'asleep' });
    expectProblem(answer, 400, 'validation_failed', 'status');
    expect(answer.body.detail).toContain('open, snoozed, closed');
  });
});

it('the status of conversations changes no figure', async () => {
  const own = await newWorkspace();
  const ids: string[] = [];
  for (let nr = 0; nr < 3; nr++) ids.push((await receivedMail(own)).conversation_id);
  const window = { start_date: '2026-01-01T00:00:00Z', end_date: '2036-01-01T00:00:00Z' };
  const figures = async (): Promise<Json> => {
    const after = inSeconds(0);
    let answer: Json;
    await until(async () => {
      answer = await ok(own.api.get('analytics/conversations', window));
      return answer.as_of > after;
    });
    const { as_of: _, ...rest } = answer;
    return rest;
  };
  const before = await figures();
  await ok(own.api.patch(`conversations/${ids[0]}`, CLOSED));
  await ok(own.api.patch(`conversations/${ids[1]}`, snoozed()));
  await ok(own.api.patch(`conversations/${ids[2]}`, snoozed(0.3)));
  await until(async () => (await ok(own.api.get(`conversations/${ids[2]}`))).status === 'open');
  expect(await figures()).toEqual(before);
});
