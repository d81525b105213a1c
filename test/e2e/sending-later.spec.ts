import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Answer,
  Client,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { readFeed } from '../support/clients/feed.js';
import {
  autosend,
  draftsOf,
  messagesOf,
  postMail,
  promotedMessage,
  rawMail,
  receivedMail,
} from '../support/data/mail.js';
import { firstMessage, messageDraftWith, openedBy } from '../support/data/message-drafts.js';
import { startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

let workspace: Workspace;
let smtp: TestSmtp;
let channel: Json;

beforeAll(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, smtp.port);
});

afterAll(() => smtp.close());

/** The instant so many seconds from now, as it is answered. */
const inSeconds = (seconds: number): string =>
  new Date(performance.timeOrigin + performance.now() + seconds * 1_000).toISOString().replace('Z', '000Z');
const DAY = 86_400;

const drafted = (fields: object, of = workspace): Promise<Json> =>
  ok(of.api.post('message-drafts', firstMessage(fields)));
const pathOf = (draft: Json): string =>
  draft.response_id ? `${draftsOf(draft)}/${draft.response_id}` : `message-drafts/${draft.draft_id}`;
const shown = (draft: Json): Promise<Json> => ok(workspace.api.get(pathOf(draft)));
const unschedule = (draft: Json): Promise<Answer> => workspace.api.post(`${pathOf(draft)}/unschedule`);
const written = ({ conversation_id }: Json, fields: object = {}): Promise<Json> =>
  receivedMail(workspace, { conversation_id, contact: undefined, ...fields });
const isOut = (subject: string): boolean => smtp.mails.some(({ parsed }) => parsed.subject === subject);

const BOTH: [string, (fields?: object) => Promise<Json>][] = [
  ['message draft', (fields = {}) => drafted({ send_at: inSeconds(DAY), ...fields })],
  [
    'response draft',
    async (fields = {}) =>
      ok(
        workspace.api.post(
          draftsOf(await receivedMail(workspace)),
          autosend({ send_at: inSeconds(DAY), ...fields }),
        ),
      ),
  ],
];

describe.each(BOTH)('a %s with send_at', (_, later) => {
  it('is queued now and shows the instant', async () => {
    const send_at = inSeconds(3 * DAY);
    const draft = await later({ send_at });
    expect(draft).toMatchObject({ scheduled_to_send: true, scheduled_send_at: send_at });
    expect(await shown(draft)).toMatchObject({
      scheduled_send_at: send_at,
      delivery: { status: 'queued', attempts: 0, last_error: null, next_attempt_at: send_at },
    });
  });

  it('takes an instant of any offset', async () => {
    const draft = await later({ send_at: inSeconds(DAY).replace(/\.\d+Z/, '+02:00') });
    expect(draft.scheduled_send_at).toMatch(/\.000000Z$/);
  });

  it('may be 366 days ahead, and is 400 beyond, or without autosend_draft', async () => {
    expect((await later({ send_at: inSeconds(366 * DAY - 60) })).scheduled_to_send).toBe(true);
    const wrong = [
      { send_at: inSeconds(366 * DAY + 60) },
      { autosend_draft: false },
      { autosend_draft: undefined },
      { send_at: 'tomorrow' },
      { send_at: null },
    ];
    for (const fields of wrong) {
      const answer = await later(fields).catch((error: unknown) => error);
      expect(String(answer)).toContain('send_at: ');
    }
  });

  it('is withdrawn by its deletion', async () => {
    const draft = await later();
    expect((await workspace.api.delete(pathOf(draft))).status).toBe(204);
    expect((await unschedule(draft)).status).toBe(404);
  });

  it('is saved for review again by unscheduling it, and can be sent', async () => {
    const draft = await later();
    const answer = await unschedule(draft);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...draft, scheduled_to_send: false, scheduled_send_at: null });
    expect(await shown(draft)).toMatchObject({
      scheduled_send_at: null,
      delivery: { status: 'none', attempts: 0, last_error: null, next_attempt_at: null },
    });
    expect(await ok(unschedule(draft))).toEqual(answer.body);
    const send_at = inSeconds(2 * DAY);
    const again = await ok(workspace.api.post(`${pathOf(draft)}/send`, { send_at }));
    expect(again).toMatchObject({ scheduled_to_send: true, scheduled_send_at: send_at });
  });

  it('keeps its instant when it is sent again', async () => {
    const draft = await later();
    for (const body of [undefined, {}, { send_at: inSeconds(5 * DAY) }])
      expect(await ok(workspace.api.post(`${pathOf(draft)}/send`, body))).toEqual(draft);
  });

  it('is audited when it is unscheduled', async () => {
    const draft = await later();
    await unschedule(draft);
    const { data } = await ok(
      workspace.api.get('audit-logs', { record_id: draft.draft_id ?? draft.response_id }),
    );
    expect(data[0]).toMatchObject({
      action_type: 'update',
      changes: [{ field: 'scheduled_send_at', from: draft.scheduled_send_at, to: null }],
    });
  });
});

describe('sending later', () => {
  it('refuses an instant more than 366 days ahead for a saved draft, too', async () => {
    const draft = await drafted({ autosend_draft: false });
    const answer = await workspace.api.post(`${pathOf(draft)}/send`, { send_at: inSeconds(367 * DAY) });
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toEqual([{ field: 'send_at', detail: 'must be at most 366 days ahead' }]);
  });

  it('sends at the instant, and not before', async () => {
    const draft = await drafted({ send_at: inSeconds(2), subject: 'In two seconds' });
    const { message } = await openedBy(workspace, draft);
    expect(message.sent_at >= draft.scheduled_send_at).toBe(true);
  });

  it('sends at once when the instant has passed', async () => {
    const draft = await drafted({ send_at: '2020-02-29T12:00:00Z', subject: 'Long ago' });
    expect(draft.scheduled_send_at).toBe('2020-02-29T12:00:00.000000Z');
    const { message } = await openedBy(workspace, draft);
    expect(message.sent_at > draft.scheduled_send_at).toBe(true);
  });

  it('takes a draft back that waits for another try', async () => {
    smtp.respond.data = () => ({ code: 451, text: 'later' });
    try {
      const draft = await drafted({ subject: 'Deferred' });
      await messageDraftWith(workspace, draft, 'retrying');
      expect(await ok(unschedule(draft))).toMatchObject({ scheduled_to_send: false });
    } finally {
      delete smtp.respond.data;
    }
  });

  it('refuses to unschedule a draft that is being sent', async () => {
    let answerMail = () => {};
    const held = new Promise<undefined>((resolve) => (answerMail = () => resolve(undefined)));
    smtp.respond.data = () => held;
    try {
      const draft = await drafted({ subject: 'On its way' });
      await messageDraftWith(workspace, draft, 'sending');
      expectProblem(await unschedule(draft), 409, 'draft_sending');
      answerMail();
      await openedBy(workspace, draft);
      expectProblem(await unschedule(draft), 404, 'draft_promoted');
    } finally {
      answerMail();
      delete smtp.respond.data;
    }
  });

  it('lets an overwrite say anew whether and when a reply leaves', async () => {
    const question = await receivedMail(workspace);
    const save = (body: object) => ok(workspace.api.post(draftsOf(question), body));
    const first = await save(autosend({ send_at: inSeconds(DAY), cancel_on_reply: true }));
    const send_at = inSeconds(2 * DAY);
    expect(await save(autosend({ send_at }))).toEqual({ ...first, scheduled_send_at: send_at });
    expect(await shown(first)).toMatchObject({ cancel_on_reply: false });
    const saved = await save({ body_html: '<p>Later.</p>' });
    expect(saved).toMatchObject({ scheduled_to_send: false, scheduled_send_at: null });
    await save(autosend());
    await promotedMessage(workspace, first);
  });

  it('sends after a restart what fell due meanwhile, oldest first', async () => {
    const first = await startServer();
    const { dataDir } = first;
    const there = await newWorkspace({ url: first.url });
    await emailChannel(there, smtp.port);
    // More than leave side by side, in another order than that in which they were made.
    const places = Array.from({ length: 24 }, (_, place) => (place * 7) % 24);
    const last = 8 + 24 / 10;
    const due: string[] = [];
    await Promise.all(
      places.map(async (place) => {
        const send_at = inSeconds(8 + place / 10);
        due[place] = (await drafted({ send_at, subject: `Due ${place}` }, there)).draft_id;
      }),
    );
    await first.stop();
    await sleep(last * 1_000);
    const second = await startServer({ dataDir });
    try {
      await until(() => places.every((place) => isOut(`Due ${place}`)));
      const api = new Client(second.url, there.api.base, there.api.headers);
      const events = await readFeed(api, { types: 'DeliveryStarted' });
      const ranks = events.data.map(({ stream }: Json) => due.indexOf(stream.id));
      expect(ranks).toHaveLength(24);
      expect(Math.max(...ranks.slice(0, 5))).toBeLessThan(12);
    } finally {
      await second.stop();
    }
  });
});

describe('a reply with cancel_on_reply', () => {
  const replyTo = (question: Json, fields: object = {}): Promise<Json> =>
    ok(
      workspace.api.post(
        draftsOf(question),
        autosend({ send_at: inSeconds(DAY), cancel_on_reply: true, ...fields }),
      ),
    );

  it('is saved for review, and says why, when the contact writes before it leaves', async () => {
    const question = await receivedMail(workspace);
    const draft = await replyTo(question);
    expect(await shown(draft)).toMatchObject({ cancel_on_reply: true });
    const reply = await written(question);
    expect(await shown(draft)).toMatchObject({
      scheduled_send_at: null,
      cancel_on_reply: true,
      delivery: {
        status: 'none',
        last_error: `The contact wrote ${reply.message_id} before it left.`,
        next_attempt_at: null,
      },
    });
  });

  it('is so when the answer comes by mail', async () => {
    const question = await receivedMail(workspace);
    const draft = await replyTo(question);
    const inReplyTo = question.email_metadata.email_message_id;
    const date = new Date(performance.timeOrigin + performance.now()).toUTCString();
    await ok(postMail(channel, rawMail({ inReplyTo, date })));
    expect((await shown(draft)).delivery).toMatchObject({ status: 'none' });
  });

  it('is so when it was saved first, and sent after review', async () => {
    const question = await receivedMail(workspace);
    const saved = await replyTo(question, { autosend_draft: false, send_at: undefined });
    await written(question);
    await ok(workspace.api.post(`${pathOf(saved)}/send`, { send_at: inSeconds(DAY) }));
    expect((await shown(saved)).delivery).toMatchObject({ status: 'queued', last_error: null });
    await written(question);
    expect((await shown(saved)).delivery).toMatchObject({ status: 'none' });
  });

  it.each([
    ['an automatic reply', () => ({ raw: { headers: ['Auto-Submitted: auto-replied'] } })],
    ['a message written before the draft', () => ({ fields: { sent_at: '2026-01-01T00:00:00Z' } })],
    ['a message that we sent', () => ({ fields: { message_direction: 'sent' } })],
  ])('is not withdrawn by %s', async (_, other) => {
    const question = await receivedMail(workspace);
    const draft = await replyTo(question);
    const { raw, fields } = other() as { raw?: object; fields?: object };
    const inReplyTo = question.email_metadata.email_message_id;
    if (raw) await ok(postMail(channel, rawMail({ inReplyTo, ...raw })));
    else await written(question, fields);
    expect((await messagesOf(workspace, question)).length).toBe(2);
    expect((await shown(draft)).delivery).toMatchObject({ status: 'queued' });
  });

  it('is not withdrawn by a message of another conversation', async () => {
    const draft = await replyTo(await receivedMail(workspace));
    await receivedMail(workspace);
    expect((await shown(draft)).delivery).toMatchObject({ status: 'queued' });
  });

  it('without it, leaves whatever comes', async () => {
    const question = await receivedMail(workspace);
    const draft = await replyTo(question, { cancel_on_reply: undefined });
    await written(question);
    expect(await shown(draft)).toMatchObject({ cancel_on_reply: false, delivery: { status: 'queued' } });
  });

  const RACES = 200;
  const AT_A_TIME = 20;

  it(`either leaves or is saved when the contact writes at that moment, never both or neither, ${RACES} times`, async () => {
    const race = async (nr: number): Promise<'left' | 'saved'> => {
      const subject = `Race ${nr}`;
      const question = await receivedMail(workspace, { subject });
      const draft = await replyTo(question, { send_at: undefined });
      // From at once to about as long as a delivery takes.
      const until = performance.now() + (nr % 20) * 2;
      while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
      // Under the same subject, since a reply is about the latest message.
      await written(question, { subject, email_metadata: {} });
      const found = await workspace.api.get(pathOf(draft));
      const isSaved = found.body.delivery?.last_error?.startsWith('The contact wrote') ?? false;
      if (!isSaved) await promotedMessage(workspace, draft);
      return isSaved ? 'saved' : 'left';
    };
    const outcomes: ('left' | 'saved')[] = [];
    for (let first = 0; first < RACES; first += AT_A_TIME)
      outcomes.push(...(await Promise.all(Array.from({ length: AT_A_TIME }, (_, nr) => race(first + nr)))));
    // What comes after all of them has left: so would have what was saved.
    await openedBy(workspace, await drafted({ subject: 'After the races' }));
    expect(outcomes.map((_, nr) => isOut(`Re: Race ${nr}`))).toEqual(
      outcomes.map((outcome) => outcome === 'left'),
    );
    expect(new Set(outcomes)).toEqual(new Set(['left', 'saved']));
  });
});
