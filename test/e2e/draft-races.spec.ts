import {
  type Answer,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import {
  autosend,
  draftsOf,
  draftWith,
  messagesOf,
  promotedMessage,
  receivedMail,
} from '../support/data/mail.js';
import { firstMessage, openedBy } from '../support/data/message-drafts.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

let smtp: TestSmtp;
let workspace: Workspace;

beforeEach(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  await emailChannel(workspace, smtp.port);
});

afterEach(() => smtp.close());

const ATTEMPTS = 500;
const AT_A_TIME = 20;

describe('deleting a draft while a worker takes it up', () => {
  it(`either takes it back or comes too late, ${ATTEMPTS} times`, async () => {
    const outcomes = { 'taken back': 0, 'being sent': 0, sent: 0 };
    const one = async (nr: number): Promise<void> => {
      const subject = `Race ${nr}.`;
      const draft = await ok(workspace.api.post('message-drafts', firstMessage({ subject })));
      // From at once to about as long as a delivery takes.
      const until = performance.now() + (nr % 25);
      while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
      const answer = await workspace.api.delete(`message-drafts/${draft.draft_id}`);
      if (answer.status === 204) {
        outcomes['taken back']++;
        expectProblem(
          await workspace.api.get(`message-drafts/${draft.draft_id}`),
          404,
          'message_draft_not_found',
        );
        takenBack.push(subject);
        return;
      }
      if (answer.status === 400) expectProblem(answer, 400, 'draft_sending');
      else expectProblem(answer, 404, 'draft_promoted');
      outcomes[answer.status === 400 ? 'being sent' : 'sent']++;
      await openedBy(workspace, draft);
      sent.push(subject);
    };
    const takenBack: string[] = [];
    const sent: string[] = [];
    for (let first = 0; first < ATTEMPTS; first += AT_A_TIME)
      await Promise.all(Array.from({ length: AT_A_TIME }, (_, nr) => one(first + nr)));
    // What comes after all of them has left: so would have what was taken back.
    await openedBy(
      workspace,
      await ok(workspace.api.post('message-drafts', firstMessage({ subject: 'Last.' }))),
    );
    expect(takenBack.length + sent.length).toBe(ATTEMPTS);
    expect(smtp.seen.map(({ parsed }) => parsed.subject).toSorted()).toEqual([...sent, 'Last.'].toSorted());
    expect(Object.values(outcomes).reduce((sum, count) => sum + count)).toBe(ATTEMPTS);
    expect(takenBack.length).toBeGreaterThan(0);
    expect(sent.length).toBeGreaterThan(0);
  });
});

describe('fifty overwrites of a response draft at once', () => {
  it.each([
    ['all of them to send at once', () => true],
    ['some of them to send at once', (nr: number) => nr % 2 === 0],
    ['none of them to send', () => false],
  ])('with %s leave one pending draft at every moment, and send no content twice', async (_, sends) => {
    const question = await receivedMail(workspace);
    let running = true;
    const pending: number[] = [];
    const watcher = (async () => {
      while (running) pending.push((await ok(workspace.api.get(draftsOf(question)))).data.length);
    })();
    const answers: Answer[] = await Promise.all(
      Array.from({ length: 50 }, (__, nr) => {
        const body_html = `<p>Content ${nr}.</p>`;
        return workspace.api.post(draftsOf(question), sends(nr) ? autosend({ body_html }) : { body_html });
      }),
    );
    running = false;
    await watcher;
    expect(Math.max(...pending)).toBeLessThanOrEqual(1);
    for (const answer of answers) if (answer.status >= 400) expectProblem(answer, 400, 'draft_sending');
    // What is still queued leaves.
    await until(async () => {
      const { data } = await ok(workspace.api.get(draftsOf(question)));
      return data.every(({ delivery }: Json) => delivery.status === 'none');
    });
    const messages = (await messagesOf(workspace, question)).filter(
      ({ message_direction }) => message_direction === 'sent',
    );
    const contents = smtp.seen.map(({ parsed }) => parsed.text!.trim());
    expect(new Set(contents).size).toBe(contents.length);
    expect(contents.toSorted()).toEqual(messages.map(({ content }) => content).toSorted());
    const accepted = new Set(
      answers.flatMap(({ body }, nr) => (body.scheduled_to_send ? [`Content ${nr}.`] : [])),
    );
    expect(contents.filter((content) => !accepted.has(content))).toEqual([]);
    // Every draft that there was is a message now, or the one that is left.
    const ids = new Set(answers.flatMap(({ body }) => body.response_id ?? []));
    const { data: left } = await ok(workspace.api.get(draftsOf(question)));
    expect(ids.size).toBe(messages.length + left.length);
  });

  it('and a sending by hand at the same time sends what was saved at that moment, once', async () => {
    const question = await receivedMail(workspace);
    const draft = await ok(workspace.api.post(draftsOf(question), { body_html: '<p>First.</p>' }));
    const path = `${draftsOf(question)}/${draft.response_id}/send`;
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, nr) =>
        nr % 4 === 0
          ? workspace.api.post(path)
          : workspace.api.post(draftsOf(question), { body_html: `<p>Content ${nr}.</p>` }),
      ),
    );
    for (const { status, body } of answers)
      if (status >= 400) expect(['draft_sending', 'draft_promoted']).toContain(body.code);
    const { data } = await ok(workspace.api.get(draftsOf(question)));
    for (const one of data) if (one.delivery.status !== 'none') await promotedMessage(workspace, one);
    const contents = smtp.seen.map(({ parsed }) => parsed.text!.trim());
    expect(new Set(contents).size).toBe(contents.length);
    const messages = (await messagesOf(workspace, question)).filter(
      ({ message_direction }) => message_direction === 'sent',
    );
    expect(contents.toSorted()).toEqual(messages.map(({ content }) => content).toSorted());
  });
});

describe('an overwrite while an operator has the failed reply tried again', () => {
  it('is not sent unseen', async () => {
    smtp.respond.rcptTo = () => ({ code: 550 });
    const failed = await Promise.all(
      Array.from({ length: 60 }, async () =>
        ok(workspace.api.post(draftsOf(await receivedMail(workspace)), autosend({ body_html: 'Reviewed.' }))),
      ),
    );
    for (const draft of failed) await draftWith(workspace, draft, 'failed');
    smtp.respond.rcptTo = undefined;
    await Promise.all(
      failed.flatMap((draft) => [
        workspace.admin.post(`deliveries/${draft.response_id}/retry`),
        workspace.api.post(draftsOf(draft), { body_html: 'Not reviewed.' }),
      ]),
    );
    for (const draft of failed)
      await until(async () => {
        const { data } = await ok(workspace.api.get(draftsOf(draft)));
        return data.every(({ delivery }: Json) => delivery.status === 'none');
      });
    expect(smtp.seen.map(({ parsed }) => parsed.text!.trim())).not.toContain('Not reviewed.');
  });
});
