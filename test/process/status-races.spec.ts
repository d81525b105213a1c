import { isDeepStrictEqual } from 'node:util';
import {
  type Answer,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  type Workspace,
} from '../support/clients/client.js';
import { autosend, draftsOf, promotedMessage, receivedMail } from '../support/data/mail.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

let workspace: Workspace;
let smtp: TestSmtp;

beforeAll(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  await emailChannel(workspace, smtp.port);
});
afterAll(() => smtp.close());

const nowMs = (): number => performance.timeOrigin + performance.now();
const inMs = (ms: number): string => new Date(nowMs() + ms).toISOString();
const pause = async (ms: number): Promise<void> => {
  const end = performance.now() + ms;
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
};

/** More by `PARLEY_RACES`; a multiple of `AT_A_TIME`. */
const CONVERSATIONS = Number(process.env['PARLEY_RACES'] ?? 60);
const AT_A_TIME = 12;

/** What people do, each at a moment of its own within as long as a delivery takes. */
const ACTS: ((one: Json, nr: number) => Promise<Answer>)[] = [
  (one) => patch(one, { status: 'closed' }),
  (one) => patch(one, { status: 'open' }),
  (one, nr) => patch(one, { status: 'snoozed', snoozed_until: inMs(1_000 + (nr % 10) * 100) }),
  (one) => patch(one, { snoozed_until: inMs(2_000) }),
  (one) => patch(one, { is_read: true }),
];
/** What comes in beside it in two of three conversations. */
const MESSAGES: typeof ACTS = [
  (one) => written(one),
  (one) => written(one, { sent_at: '2026-01-01T00:00:00Z' }),
];
const patch = ({ conversation_id }: Json, changes: object): Promise<Answer> =>
  workspace.api.patch(`conversations/${conversation_id}`, changes);
const written = ({ conversation_id }: Json, fields: object = {}): Promise<Answer> =>
  workspace.api.post('messages', {
    conversation_id,
    modality: 'email',
    message_direction: 'received',
    content: 'And in green?',
    ...fields,
  });

/** Replays what was told of a conversation by the rules alone, and gives its status; throws where an event changes nothing. */
function replayed(events: Json[]): Json {
  let [status, snoozed_until, latest]: [string, string | null, string] = ['open', null, ''];
  for (const { type, data, occurred_at } of events) {
    const { message } = data;
    if (message) {
      const isLatest = message.sent_at + message.message_id > latest;
      if (isLatest) latest = message.sent_at + message.message_id;
      if (isLatest && message.message_direction === 'received') [status, snoozed_until] = ['open', null];
    } else if (type === 'ConversationWoken') {
      expect([status, snoozed_until]).toEqual(['snoozed', data.snoozed_until]);
      expect(occurred_at >= data.snoozed_until).toBe(true);
      [status, snoozed_until] = ['open', null];
    } else {
      expect(type).toBe('ConversationTriaged');
      if ('status' in data) expect(data.status).not.toBe(status);
      if ('snoozed_until' in data) expect(data.snoozed_until).not.toBe(snoozed_until);
      ({ status, snoozed_until } = { status, snoozed_until, ...data });
    }
    expect(snoozed_until !== null).toBe(status === 'snoozed');
  }
  return { status, snoozed_until };
}

const outcomes = { closed: 0, 'left open': 0, woken: 0 };

async function race(nr: number): Promise<void> {
  const one = await receivedMail(workspace, { subject: `Race ${nr}` });
  const began = inMs(0);
  const [reply, ...answers] = await Promise.all([
    ok(workspace.api.post(draftsOf(one), autosend({ close_after_send: true }))),
    ...(nr % 3 === 0 ? ACTS : [...ACTS, ...MESSAGES]).map(async (act, index) => {
      await pause((nr * 7 + index * 13) % 40);
      return act(one, nr);
    }),
  ]);
  for (const { status, body } of answers) {
    if (status !== 400) expect([200, 201]).toContain(status);
    // Moving the instant of what is not snoozed any more, or not yet; or the request came too late.
    else
      expect(body.errors).toEqual([
        {
          field: 'snoozed_until',
          detail: expect.stringMatching(/needs status snoozed|must be in the future/),
        },
      ]);
  }
  const { message_id } = await promotedMessage(workspace, reply);
  const shown = async () => ok(workspace.api.get(`conversations/${one.conversation_id}`));
  await until(async () => (await shown()).status !== 'snoozed');
  const recorded = async () => {
    const { data } = await ok(workspace.api.get('events', { record_id: one.conversation_id, limit: 200 }));
    return (data as Json[]).filter(({ type }) => type !== 'ConversationDraftChanged');
  };
  // The feed may be held back by others for longer than a request waits.
  let events: Json[] = [];
  await until(async () => {
    events = await recorded();
    const { status, snoozed_until } = await shown();
    const isSent = events.some(({ data }) => data.message?.message_id === message_id);
    return isSent && isDeepStrictEqual({ status, snoozed_until }, replayed(events));
  });
  outcomes.woken += events.filter(({ type }) => type === 'ConversationWoken').length;

  const sent = events.findIndex(({ data: { message } }) => message?.message_id === message_id);
  const before = replayed(events.slice(0, sent));
  const closing = events[sent + 1];
  const hasClosed = closing?.actor.type === 'system' && closing.data.status === 'closed';
  const heard = events
    .slice(1, sent)
    .filter(
      ({ data: { message }, occurred_at }) =>
        message?.message_direction === 'received' && occurred_at >= began,
    );
  if (hasClosed) outcomes.closed++;
  else if (before.status !== 'closed') {
    // Somebody wrote since the reply was on its way to the server.
    expect(heard.length).toBeGreaterThan(0);
    outcomes['left open']++;
  }
  // What is recorded after its acceptance keeps the conversation as it is.
  const accepted = (await ok(workspace.api.get('events', { record_id: reply!.response_id }))).data[0];
  if (heard.some(({ occurred_at }) => occurred_at > accepted.occurred_at)) expect(hasClosed).toBe(false);
}

it(
  `people who snooze, close and open ${CONVERSATIONS} conversations while messages come in and a reply that closes leaves end in what some order of it all explains`,
  async () => {
    for (let first = 0; first < CONVERSATIONS; first += AT_A_TIME)
      await Promise.all(Array.from({ length: AT_A_TIME }, (_, nr) => race(first + nr)));
    for (const [outcome, count] of Object.entries(outcomes))
      expect([outcome, count > 0]).toEqual([outcome, true]);
  },
  60_000 + CONVERSATIONS * 1_000,
);
