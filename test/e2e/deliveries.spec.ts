import { setTimeout as sleep } from 'node:timers/promises';
import type { ParsedMail } from 'mailparser';
import {
  apiOf,
  emailChannel,
  type Json,
  newKey,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import {
  autosend,
  bounceOf,
  draftsOf,
  draftWith,
  messagesOf,
  postMail,
  promotedMessage,
  rawMail,
  receivedMail,
} from '../support/data/mail.js';
import { firstMessage, messageDraftWith, openedBy } from '../support/data/message-drafts.js';
import { type ReceivedMail, startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { startTwilio, textsBy } from '../support/stand-ins/twilio.js';
import { until } from '../support/until.js';

const UNKNOWN = '01hzy3v7q4e8k9m2n5p6r7s8t9';

let smtp: TestSmtp;
let workspace: Workspace;
let channel: Json;

beforeEach(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, smtp.port);
});

afterEach(() => smtp.close());

const send = (fields: object = {}, of = workspace): Promise<Json> =>
  ok(of.api.post('message-drafts', firstMessage({ to_email: `${unique('g')}@navy.example`, ...fields })));
const reply = async (of = workspace): Promise<Json> =>
  ok(of.api.post(draftsOf(await receivedMail(of)), autosend()));
const retry = (id: string) => workspace.admin.post(`deliveries/${id}/retry`);

/** The deliveries of this test's organization. */
const deliveries = async (status?: string): Promise<Json[]> =>
  (await ok(workspace.admin.get('deliveries', { status }))).data.filter(
    (one: Json) => one.organization_id === workspace.organizationId,
  );

const failedDraft = async (): Promise<Json> => {
  smtp.respond.data = () => ({ code: 550, text: 'no such user' });
  const draft = await messageDraftWith(workspace, await send(), 'failed');
  smtp.respond.data = undefined;
  return draft;
};

/** Of texts, whose outcome is held when it is unknowable. */
const uncertainDraft = async (): Promise<Json> => {
  const twilio = await startTwilio();
  await textsBy(workspace, twilio.url);
  twilio.respond = () => 'drop';
  const draft = await messageDraftWith(workspace, await send({ modality: 'text' }), 'uncertain');
  await twilio.close();
  return draft;
};

describe('the deliveries', () => {
  it('are those that failed or are uncertain, with their reasons, of either kind of draft', async () => {
    const failed = await failedDraft();
    smtp.respond.data = () => ({ code: 554, text: 'spam' });
    const response = await reply();
    await draftWith(workspace, response, 'failed');
    const uncertain = await uncertainDraft();
    await ok(workspace.api.post('message-drafts', { modality: 'email', subject: 'saved' }));
    const common = { organization_id: workspace.organizationId, attempts: 1, next_attempt_at: null };
    const [first, second, third] = [
      {
        ...common,
        draft_id: failed.draft_id,
        modality: 'email',
        status: 'failed',
        last_error: expect.stringContaining('no such user'),
      },
      {
        ...common,
        draft_id: response.response_id,
        modality: 'email',
        status: 'failed',
        last_error: expect.stringContaining('spam'),
      },
      {
        ...common,
        draft_id: uncertain.draft_id,
        modality: 'text',
        status: 'uncertain',
        last_error: expect.stringMatching(/\S/),
      },
    ];
    expect(await deliveries()).toHaveLength(3);
    expect(await deliveries()).toEqual(expect.arrayContaining([first, second, third]));
    expect(await deliveries('failed')).toHaveLength(2);
    expect(await deliveries('failed')).toEqual(expect.arrayContaining([first, second]));
    expect(await deliveries('uncertain')).toEqual([third]);
  });

  it.each(['queued', 'sending', 'retrying'])('with status %s are those on their way', async (status) => {
    if (status === 'queued') smtp.respond.connect = () => 'hang';
    if (status === 'sending') smtp.respond.data = () => 'hang';
    if (status === 'retrying') smtp.respond.data = () => ({ code: 451, text: 'later' });
    // More than an organization may have in hand at a time.
    const drafts = await Promise.all(Array.from({ length: 8 }, () => send()));
    let one: Json;
    await until(async () => ([one] = await deliveries(status)) && one !== undefined);
    expect(drafts.map(({ draft_id }) => draft_id)).toContain(one.draft_id);
    expect(one).toEqual({
      organization_id: workspace.organizationId,
      draft_id: one.draft_id,
      modality: 'email',
      status,
      attempts: expect.any(Number),
      last_error: status === 'retrying' ? expect.stringContaining('later') : one.last_error,
      next_attempt_at: status === 'sending' ? null : expect.stringMatching(INSTANT),
    });
    for (const draft of drafts) await workspace.api.delete(`message-drafts/${draft.draft_id}`);
  });

  it('with another status are refused with 400 naming it', async () => {
    for (const status of ['sent', 'none', 'FAILED', ''])
      expectProblem(await workspace.admin.get('deliveries', { status }), 400, 'validation_failed', 'status');
  });

  it('hold no draft any more that was sent, deleted or overwritten', async () => {
    const sent = await failedDraft();
    await ok(retry(sent.draft_id));
    await openedBy(workspace, sent);
    const deleted = await failedDraft();
    await workspace.api.delete(`message-drafts/${deleted.draft_id}`);
    smtp.respond.data = () => ({ code: 550 });
    const overwritten = await reply();
    await draftWith(workspace, overwritten, 'failed');
    await ok(workspace.api.post(draftsOf(overwritten), { body_html: 'x' }));
    expect(await deliveries()).toEqual([]);
  });
});

describe('retrying a delivery', () => {
  it('that failed sends it, under the Message-ID that it had', async () => {
    const draft = await failedDraft();
    const answer = await retry(draft.draft_id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      organization_id: workspace.organizationId,
      draft_id: draft.draft_id,
      modality: 'email',
      status: expect.stringMatching(/^(queued|sending)$/),
    });
    const { message } = await openedBy(workspace, draft);
    expect(smtp.seen.map(({ messageId }) => messageId)).toEqual(
      Array(2).fill(`<${message.email_metadata.email_message_id}>`),
    );
    expect(message.agent_id).toBe(workspace.agentId);
  });

  it('that failed counts its attempts anew', async () => {
    const draft = await failedDraft();
    smtp.respond.data = () => ({ code: 550, text: 'still not' });
    await ok(retry(draft.draft_id));
    await until(async () => /still not/.test((await deliveries())[0]?.last_error));
    expect((await messageDraftWith(workspace, draft, 'failed')).delivery.attempts).toBe(1);
  });

  it('of a response draft sends it', async () => {
    smtp.respond.data = () => ({ code: 550 });
    const draft = await reply();
    await draftWith(workspace, draft, 'failed');
    smtp.respond.data = undefined;
    await ok(retry(draft.response_id));
    await promotedMessage(workspace, draft);
  });

  it('of a response draft sends it to the address that the contact has by now', async () => {
    smtp.respond.rcptTo = () => ({ code: 550, text: 'no such user' });
    const draft = await reply();
    await draftWith(workspace, draft, 'failed');
    smtp.respond.rcptTo = undefined;
    const { contact_id } = await ok(workspace.api.get(`conversations/${draft.conversation_id}`));
    const email = `${unique('grace')}@navy.example`;
    await ok(workspace.api.patch(`contacts/${contact_id}`, { email }));
    await ok(retry(draft.response_id));
    await promotedMessage(workspace, draft);
    expect(smtp.mails.map(({ to }) => to)).toEqual([[email]]);
  });

  it('of a response draft makes a message of the owner of that moment, where no key is an agent’s', async () => {
    const nobody = await ok(newKey(workspace.admin, workspace.organizationId));
    const api = apiOf(workspace.organizationId, nobody.api_key);
    smtp.respond.data = () => ({ code: 550 });
    const { conversation_id } = await receivedMail(workspace);
    await ok(api.patch(`conversations/${conversation_id}`, { agent_id: workspace.agentId }));
    const draft = await ok(api.post(draftsOf({ conversation_id }), autosend()));
    await draftWith(workspace, draft, 'failed');
    const { agent_id } = await ok(
      workspace.admin.post(`organizations/${workspace.organizationId}/agents`, { name: 'Bob' }),
    );
    await ok(api.patch(`conversations/${conversation_id}`, { agent_id }));
    smtp.respond.data = undefined;
    await ok(retry(draft.response_id));
    expect((await promotedMessage(workspace, draft)).agent_id).toBe(agent_id);
  });

  it('that is uncertain sends it, since a person has said so', async () => {
    const draft = await uncertainDraft();
    const twilio = await startTwilio();
    await textsBy(workspace, twilio.url);
    await ok(retry(draft.draft_id));
    await openedBy(workspace, draft);
    expect(twilio.seen).toHaveLength(1);
    await twilio.close();
  });

  it('ten times at once sends it once', async () => {
    const draft = await failedDraft();
    const before = smtp.seen.length;
    const answers = await Promise.all(Array.from({ length: 10 }, () => retry(draft.draft_id)));
    // Who comes when it has been sent finds none.
    for (const { status } of answers) expect([200, 404]).toContain(status);
    await openedBy(workspace, draft);
    expect(smtp.seen).toHaveLength(before + 1);
  });

  it('that is on its way already answers where it is and changes nothing', async () => {
    smtp.respond.data = () => 'hang';
    const draft = await send();
    await until(() => smtp.seen.length === 1);
    expect((await ok(retry(draft.draft_id))).status).toBe('sending');
    await workspace.adminApi.delete('channels/email');
    expect((await ok(retry(draft.draft_id))).status).toBe('sending');
    expect(smtp.seen).toHaveLength(1);
  });

  it.each([`draft_${UNKNOWN}`, `response_${UNKNOWN}`, 'nonsense', `conv_${UNKNOWN}`])(
    'of an unknown draft, %s, is 404',
    async (id) => expectProblem(await retry(id), 404, 'delivery_not_found'),
  );

  it('of a draft that was saved only, or sent, is 404', async () => {
    const saved = await ok(workspace.api.post('message-drafts', { modality: 'email', subject: 'x' }));
    const sent = await send();
    await openedBy(workspace, sent);
    for (const { draft_id } of [saved, sent]) expectProblem(await retry(draft_id), 404, 'delivery_not_found');
  });

  it('without a channel is 400, and it stays failed', async () => {
    const draft = await failedDraft();
    await workspace.adminApi.delete('channels/email');
    expectProblem(await retry(draft.draft_id), 400, 'channel_not_configured');
    expect((await deliveries('failed')).length).toBe(1);
  });
});

describe('a bounce of a mail that was sent', () => {
  const bounced = async (draft: Json, message: Json, recipient?: string): Promise<void> => {
    const id = `<${message.email_metadata.email_message_id}>`;
    const [first] = smtp.mails.find(({ messageId }) => messageId === id)!.to;
    const answer = await postMail(channel, bounceOf(id, recipient ?? first!));
    expect(answer.status).toBe(202);
    await until(async () => (await deliveries('failed')).some(({ draft_id }) => draft_id === draft));
  };

  it('marks the delivery failed with its reason, and the message stays', async () => {
    const draft = await send();
    const { message, conversation } = await openedBy(workspace, draft);
    await bounced(draft.draft_id, message);
    expect(await deliveries()).toEqual([
      {
        organization_id: workspace.organizationId,
        draft_id: draft.draft_id,
        modality: 'email',
        status: 'failed',
        attempts: 1,
        last_error: expect.stringContaining('no such user'),
        next_attempt_at: null,
      },
    ]);
    expect(await messagesOf(workspace, conversation)).toEqual([message]);
    expectProblem(await workspace.api.get(`message-drafts/${draft.draft_id}`), 404, 'draft_promoted');
  });

  it.each(['before its outcome is known', 'while it is sent again'])(
    'marks the delivery, too, when it comes %s',
    async (when) => {
      let answered: number | undefined;
      smtp.respond.data = async ({ messageId, to }) => {
        if (answered) return undefined;
        answered = (await postMail(channel, bounceOf(messageId!, to[0]!))).status;
        return when.startsWith('before') ? undefined : 'drop';
      };
      const draft = await send();
      const { message } = await openedBy(workspace, draft);
      expect(answered).toBe(202);
      expect(message.message_direction).toBe('sent');
      expect(await deliveries('failed')).toMatchObject([
        { draft_id: draft.draft_id, last_error: expect.stringContaining('no such user') },
      ]);
    },
  );

  it('changes nothing when it names nobody the mail went to, whoever knows its Message-ID', async () => {
    const draft = await send({ cc_emails: ['Ann@büyer.example'], bcc_emails: ['bob@navy.example'] });
    const { message } = await openedBy(workspace, draft);
    const id = `<${message.email_metadata.email_message_id}>`;
    const answer = await postMail(channel, bounceOf(id, 'mallory@evil.example'));
    expect([answer.status, answer.body.message_id]).toEqual([202, message.message_id]);
    expect(await deliveries()).toEqual([]);
    await bounced(draft.draft_id, message, 'ann@xn--byer-0ra.EXAMPLE');
  });

  it('of a reply does, too, and another reply can be drafted', async () => {
    const draft = await reply();
    const message = await promotedMessage(workspace, draft);
    await bounced(draft.response_id, message);
    expect((await workspace.api.post(draftsOf(draft), { body_html: 'x' })).status).toBe(201);
    expect(await messagesOf(workspace, draft)).toHaveLength(2);
  });

  it('is not delivered again: retrying is 404 with a hint to what it became', async () => {
    for (const [draft, id, message] of [
      await (async () => {
        const one = await send();
        return [one, one.draft_id, (await openedBy(workspace, one)).message] as const;
      })(),
      await (async () => {
        const one = await reply();
        return [one, one.response_id, await promotedMessage(workspace, one)] as const;
      })(),
    ]) {
      expect(draft.scheduled_to_send).toBe(true);
      await bounced(id, message);
      const answer = await retry(id);
      expectProblem(answer, 404, 'draft_promoted');
      await ok(workspace.api.get(answer.body.hint.route));
    }
  });
});

describe('a recipient who was refused while others were not', () => {
  it('shows among the failed deliveries, with the reason; the mail is a message', async () => {
    smtp.respond.rcptTo = (address) =>
      address === 'gone@navy.example' ? { code: 550, text: 'has left us' } : undefined;
    const draft = await send({ cc_emails: ['gone@navy.example'] });
    const { message } = await openedBy(workspace, draft);
    expect(message.email_metadata.cc_emails).toEqual(['gone@navy.example']);
    expect(await deliveries()).toMatchObject([
      {
        draft_id: draft.draft_id,
        status: 'failed',
        last_error: expect.stringMatching(/gone@navy.example.*has left us/),
      },
    ]);
  });
});

describe('a recipient who was refused for now while others were not', () => {
  const later = 'later@navy.example';
  let isKnown: boolean;
  beforeEach(() => {
    isKnown = false;
    smtp.respond.rcptTo = (address) =>
      address === later && !isKnown ? { code: 451, text: 'greylisted' } : undefined;
  });

  it('is tried again alone, under the same Message-ID; the mail is a message meanwhile', async () => {
    const draft = await send({ bcc_emails: [later] });
    const { message } = await openedBy(workspace, draft);
    await until(async () => (await deliveries('retrying')).length === 1);
    expectProblem(await workspace.api.delete(`message-drafts/${draft.draft_id}`), 404, 'draft_promoted');
    isKnown = true;
    const [first, second] = await smtp.waitFor(2);
    expect(first!.to).not.toContain(later);
    expect([second!.to, second!.messageId]).toEqual([[later], first!.messageId]);
    await until(async () => (await deliveries('sending')).length === 0);
    expect([...(await deliveries()), ...(await deliveries('retrying'))]).toEqual([]);
    expect((await openedBy(workspace, draft)).message).toEqual(message);
    expect(smtp.mails).toHaveLength(2);
  });

  it('does not hide that the mail comes back from others meanwhile', async () => {
    const draft = await send({ bcc_emails: [later] });
    const { message } = await openedBy(workspace, draft);
    const [reached] = smtp.mails[0]!.to;
    let answered: number | undefined;
    smtp.respond.data = async () => {
      const bounce = bounceOf(`<${message.email_metadata.email_message_id}>`, reached!);
      answered = (await postMail(channel, bounce)).status;
      return undefined;
    };
    isKnown = true;
    await smtp.waitFor(2);
    expect(answered).toBe(202);
    await until(async () => (await deliveries('sending')).length === 0);
    expect(await deliveries()).toMatchObject([
      { draft_id: draft.draft_id, status: 'failed', last_error: expect.stringContaining('no such user') },
    ]);
  });

  it('is tried again with the reply as it was, whatever came in since', async () => {
    const drafts = draftsOf(await receivedMail(workspace));
    const draft = await ok(workspace.api.post(drafts, { ...autosend(), cc_emails: [later] }));
    await promotedMessage(workspace, draft);
    const [{ parsed: reply, messageId }] = (await smtp.waitFor(1)) as [ReceivedMail];
    await ok(postMail(channel, rawMail({ inReplyTo: messageId!, subject: 'Another thing' })));
    isKnown = true;
    const { to, parsed: again } = (await smtp.waitFor(2))[1]!;
    const headers = ({ messageId: id, subject, inReplyTo, references }: ParsedMail) => [
      id,
      subject,
      inReplyTo,
      references,
    ];
    expect([to, headers(again)]).toEqual([[later], headers(reply)]);
  });
});

describe('one organization', () => {
  it("does not hold up another's mail with a server that hangs", async () => {
    smtp.respond.connect = () => 'hang';
    const hanging = await Promise.all(Array.from({ length: 20 }, () => send()));
    await until(() => smtp.connections() >= 3);
    const [other, healthy] = [await newWorkspace(), await startSmtp()];
    await emailChannel(other, healthy.port);
    for (let nr = 0; nr < 5; nr++) await openedBy(other, await send({}, other));
    expect(healthy.mails).toHaveLength(5);
    // All of the others are still waiting for the banner.
    for (const draft of hanging)
      expect((await ok(workspace.api.get(`message-drafts/${draft.draft_id}`))).delivery).toMatchObject({
        status: expect.stringMatching(/^(queued|sending|retrying)$/),
      });
    expect(smtp.seen).toEqual([]);
    for (const draft of hanging) await workspace.api.delete(`message-drafts/${draft.draft_id}`);
    await healthy.close();
  });
});

describe('connections', () => {
  it('are few at a time for many mails at once', async () => {
    let [underWay, most] = [0, 0];
    smtp.respond.data = async () => {
      most = Math.max(most, ++underWay);
      await sleep(100);
      underWay--;
      return undefined;
    };
    const drafts = await Promise.all(Array.from({ length: 30 }, () => send()));
    for (const draft of drafts) await openedBy(workspace, draft);
    expect(smtp.mails).toHaveLength(30);
    expect(most).toBeLessThanOrEqual(20);
  });

  it('that the server has closed meanwhile lose nothing and send nothing twice', async () => {
    for (let nr = 0; nr < 5; nr++) {
      await openedBy(workspace, await send());
      smtp.disconnect();
    }
    expect([smtp.seen.length, smtp.mails.length]).toEqual([5, 5]);
    expect(new Set(smtp.seen.map(({ messageId }) => messageId)).size).toBe(5);
  });

  it('that the server closes as the next mail comes lose nothing and send nothing twice', async () => {
    for (const step of ['mailFrom', 'rcptTo'] as const) {
      await openedBy(workspace, await send());
      let dropped = false;
      smtp.respond[step] = () => {
        if (dropped) return undefined;
        dropped = true;
        return 'drop';
      };
      await openedBy(workspace, await send());
    }
    expect([smtp.seen.length, smtp.mails.length]).toEqual([4, 4]);
  });

  it('that the server ends with 421 lose nothing and send nothing twice', async () => {
    await openedBy(workspace, await send());
    let refused = false;
    smtp.respond.mailFrom = () => {
      if (refused) return undefined;
      refused = true;
      return { code: 421, text: 'closing for lack of traffic' };
    };
    await openedBy(workspace, await send());
    expect([smtp.seen.length, smtp.mails.length]).toEqual([2, 2]);
  });

  it('of one organization carry no mail of another, and new credentials make new ones', async () => {
    const logins: string[] = [];
    smtp.respond.auth = (user) => void logins.push(user);
    const settings = { from_address: channel.from_address };
    await emailChannel(workspace, smtp.port, { ...settings, username: 'one', password: 'x' });
    await openedBy(workspace, await send());
    await emailChannel(workspace, smtp.port, { ...settings, username: 'two', password: 'x' });
    await openedBy(workspace, await send());
    const other = await newWorkspace();
    await emailChannel(other, smtp.port, { username: 'three', password: 'x' });
    await openedBy(other, await send({}, other));
    expect(logins).toEqual(['one', 'two', 'three']);
  });
});

describe('the deliveries of operators', () => {
  it('need the operator key', async () => {
    const { api } = workspace;
    const keyed = apiOf(workspace.organizationId, workspace.key);
    expectProblem(await keyed.get('/admin/v1/deliveries'), 401, 'unauthorized');
    expectProblem(await api.send('POST', '/admin/v1/deliveries/draft_x/retry'), 401, 'unauthorized');
  });
});
