import type { Config } from '../../config/config.js';
import { Deadline } from '#kernel/deadline.js';
import type { EventStore } from '#event-store/event-store.js';
import type { AnsweredMails, RecordBatch } from '../../conversations/conversations.contract.js';
import type { Draft } from '../draft.js';
import type { Bounces } from './bounces.js';
import type { Claims } from './claims.js';
import { Deliveries } from './deliveries.js';
import { Outcomes } from './outcomes.js';
import type { Senders } from '../providers/senders.js';

/** A draft in its first attempt. */
const claimedDraft = (draft_id: string) => ({
  version: 2,
  state: {
    draft_id,
    kind: 'message',
    files: [],
    without_signature: false,
    modality: 'email',
    recipient_email: 'grace@navy.example',
    cc_emails: [],
    bcc_emails: [],
    body_html: '<p>Hello</p>',
    email_message_id: `${draft_id}@acme.example`,
    message_id: null,
    delivery: { attempts: 1 },
  } as unknown as Draft,
  time: {
    attempt: new Deadline(60_000),
    lease: new Deadline(60_000),
    at: '2026-01-01T00:00:00.000000Z',
    began: performance.now(),
  },
});

/** Attempts at drafts that the provider takes at once, whose messages are recorded when `record` is called. */
async function attempts(count: number) {
  const waiting: (() => void)[] = [];
  const messages = { record: () => new Promise<void>((written) => waiting.push(written)) };
  const outcomes = new Outcomes(
    {} as EventStore,
    messages as unknown as RecordBatch,
    {} as Bounces,
    { adding: () => Promise.resolve([]) } as never,
    {} as Config,
  );
  const claimed = Array.from({ length: count }, (_, nr) => claimedDraft(`draft_${nr}`));
  const deliveries = new Deliveries(
    {} as EventStore,
    { take: () => Promise.resolve({ claimed, more: false }) } as unknown as Claims,
    {} as AnsweredMails,
    { send: () => Promise.resolve({ kind: 'accepted', response: '250 OK' }) } as unknown as Senders,
    outcomes,
  );
  let ended = 0;
  const { work } = await deliveries.take('org_1', count, []);
  const all = Promise.all(work.map((one) => one().then(() => ended++)));
  const turn = () => new Promise((next) => setImmediate(next));
  while (waiting.length < count) await turn();
  await turn();
  const record = () => waiting.splice(0).forEach((written) => written());
  return { ended: () => ended, record, all };
}

describe('an attempt', () => {
  it('ends when the provider has answered, while few messages wait to be recorded', async () => {
    expect((await attempts(40)).ended()).toBe(40);
  });

  it('ends when its message is recorded, while many wait for that', async () => {
    const { ended, record, all } = await attempts(100);
    expect(ended()).toBe(40);
    record();
    await all;
    expect(ended()).toBe(100);
  });
});
