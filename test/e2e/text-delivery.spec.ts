import { setTimeout as sleep } from 'node:timers/promises';
import {
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { pushText, twilioSignature, twilioText } from '../support/clients/doors.js';
import {
  autosend,
  draftsOf,
  draftWith,
  messagesOf,
  promotedMessage,
  receivedMail,
} from '../support/data/mail.js';
import { firstMessage, messageDraftWith, openedBy } from '../support/data/message-drafts.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { freePort, type Server, startServer } from '../support/server/server.js';
import { startSmtp } from '../support/stand-ins/smtp.js';
import { startTwilio, type TestTwilio, type TextRefusal, textsBy } from '../support/stand-ins/twilio.js';
import { until } from '../support/until.js';

let twilio: TestTwilio;
let workspace: Workspace;

beforeEach(async () => {
  twilio = await startTwilio();
  workspace = await newWorkspace();
  await textsBy(workspace, twilio.url);
});

afterEach(() => twilio.close());

const text = (fields: object = {}): object =>
  firstMessage({ modality: 'text', subject: undefined, to_email: undefined, ...fields });
const send = (fields: object = {}, of = workspace): Promise<Json> =>
  ok(of.api.post('message-drafts', text(fields)));

/** Refuses with these, one after the other, then accepts. */
function refuseFirst(...refusals: TextRefusal[]): () => TextRefusal | undefined {
  const left = [...refusals];
  return () => left.shift();
}

/** A later text that has left tells that what was to be tried again at once would have been. */
const anotherLeaves = async (of = workspace): Promise<void> => {
  for (const respond of [undefined, refuseFirst({ status: 503 })]) {
    twilio.respond = respond;
    await openedBy(of, await send({}, of));
  }
};

describe('a reply by text', () => {
  let channel: Json;
  const OURS = '+12125550100';
  /** The conversation of a text from this sender. */
  async function texted(From: string, fields: Record<string, string> = {}): Promise<Json> {
    channel = await ok(workspace.adminApi.get('channels/text'));
    const parameters = twilioText({ From, ...fields });
    const signature = twilioSignature(channel.hooks.twilio, parameters, 'secret-of-AC1');
    expect((await pushText(workspace, channel, parameters, signature)).status).toBe(200);
    return (await ok(workspace.api.get('conversations', { limit: 1 }))).data[0];
  }
  const contactOf = ({ contact_id }: Json): Promise<Json> => ok(workspace.api.get(`contacts/${contact_id}`));

  it.each([
    ['a short code', '68849', OURS, { to: '68849', from: OURS }, { name: '', phone_number: '68849' }],
    [
      'a short code of four digits',
      '2020',
      OURS,
      { to: '2020', from: OURS },
      { name: '2020', phone_number: '' },
    ],
    [
      'somebody on WhatsApp',
      'whatsapp:+12125550101',
      `whatsapp:${OURS}`,
      { to: 'whatsapp:+12125550101', from: `whatsapp:${OURS}` },
      { name: '', phone_number: '+12125550101' },
    ],
    [
      'somebody on WhatsApp who wrote to another number of ours',
      'whatsapp:+12125550101',
      'whatsapp:+12125550177',
      { to: 'whatsapp:+12125550101', from: 'whatsapp:+12125550177' },
      { name: '', phone_number: '+12125550101' },
    ],
    [
      'a visitor of a page',
      'messenger:1234567890123456',
      'messenger:987654321',
      { to: 'messenger:1234567890123456', from: 'messenger:987654321' },
      { name: 'messenger:1234567890123456', phone_number: '' },
    ],
    [
      'a visitor of a page that is not named',
      'messenger:1234567890123456',
      OURS,
      { to: 'messenger:1234567890123456', from: `messenger:${OURS}` },
      { name: 'messenger:1234567890123456', phone_number: '' },
    ],
    [
      'a number',
      '+12125550101',
      '+12125550177',
      { to: '+12125550101', from: OURS },
      { phone_number: '+12125550101' },
    ],
  ])('goes back to exactly %s', async (_, From, To, addresses, contact) => {
    const conversation = await texted(From, { To });
    expect(await contactOf(conversation)).toMatchObject(contact);
    await promotedMessage(workspace, await ok(workspace.api.post(draftsOf(conversation), autosend())));
    expect(twilio.seen).toEqual([expect.objectContaining(addresses)]);
    const again = await texted(From, { To, Body: 'More' });
    expect(again).toMatchObject({ conversation_id: conversation.conversation_id });
  });

  it('goes back to exactly the number it came from, whatever becomes of its contact', async () => {
    const [first, second] = ['+12125550102', '+12125550103'];
    const replyGoesTo = async (conversation: Json, to: string) => {
      await promotedMessage(workspace, await ok(workspace.api.post(draftsOf(conversation), autosend())));
      expect(twilio.seen.at(-1)).toMatchObject({ to });
    };
    const one = await texted(first);
    await ok(workspace.api.patch(`contacts/${one['contact_id']}`, { phone_number: '+12125550104' }));
    await replyGoesTo(one, first);
    const two = await texted(second);
    const merge = { from_contact_id: two['contact_id'] };
    await ok(workspace.api.post(`contacts/${one['contact_id']}/merge`, merge));
    await replyGoesTo(two, second);
    const into = `conversations/${one['conversation_id']}/merge`;
    await ok(workspace.api.post(into, { from_conversation_id: two['conversation_id'] }));
    await replyGoesTo(one, second);
  });

  it('to a name is refused, as a name can only send, and the name is one contact', async () => {
    const conversation = await texted('SUPPORT');
    expect(await contactOf(conversation)).toMatchObject({ name: 'SUPPORT', phone_number: '' });
    expect((await texted('Support')).conversation_id).toBe(conversation.conversation_id);
    expectProblem(await workspace.api.post(draftsOf(conversation), autosend()), 400, 'recipient_missing');
    expect(twilio.seen).toEqual([]);
  });

  it('goes by the service that the person used last, to the same person', async () => {
    const conversation = await texted('whatsapp:+12125550101');
    expect(await texted('+12125550101')).toMatchObject({ contact_id: conversation.contact_id });
    await promotedMessage(workspace, await ok(workspace.api.post(draftsOf(conversation), autosend())));
    expect(twilio.seen).toEqual([expect.objectContaining({ to: '+12125550101', from: OURS })]);
  });
});

describe('a text', () => {
  it("is asked for as Twilio's Messages resource wants it, and becomes a message", async () => {
    const draft = await send();
    const { message, conversation } = await openedBy(workspace, draft);
    expect(twilio.seen).toEqual([
      {
        to: '+12125550101',
        from: '+12125550100',
        body: 'Shall we talk about it?',
        path: 'POST /2010-04-01/Accounts/AC1/Messages.json',
        authorization: `Basic ${Buffer.from('AC1:secret-of-AC1').toString('base64')}`,
        sid: expect.any(String),
      },
    ]);
    expect(message).toMatchObject({
      modality: 'text',
      message_direction: 'sent',
      content: 'Shall we talk about it?',
      agent_id: workspace.agentId,
      email_metadata: { email_message_id: null, cc_emails: [], bcc_emails: [] },
      tracked_links: [],
    });
    expect(await ok(workspace.api.get(`contacts/${conversation.contact_id}`))).toMatchObject({
      name: 'Grace Hopper',
      phone_number: '+1 212 555 0101',
    });
  });

  it('that is answered before it is known to have left opens the conversation of the answer', async () => {
    const channel = await ok(workspace.adminApi.get('channels/text'));
    const parameters = twilioText();
    const signature = twilioSignature(channel.hooks.twilio, parameters, 'secret-of-AC1');
    twilio.respond = async () => {
      expect((await pushText(workspace, channel, parameters, signature)).status).toBe(200);
      return undefined;
    };
    const draft = await send();
    let hint: Json;
    await until(async () => {
      const { body } = await workspace.api.get(`message-drafts/${draft.draft_id}`);
      hint = body.hint;
      return body.code === 'draft_promoted';
    });
    const { data: conversations } = await ok(workspace.api.get('conversations'));
    expect(conversations).toHaveLength(1);
    expect(hint.route).toContain(conversations[0].conversation_id);
    const messages = await messagesOf(workspace, conversations[0]);
    expect(messages.map(({ message_direction }) => message_direction)).toEqual(['received', 'sent']);
    expect(conversations[0]).toMatchObject({ is_read: false, start_at: messages[1]!.sent_at });
  });

  it('opens its conversation with the contact of that number, however it is written', async () => {
    const { contact_id } = await ok(
      workspace.api.post('contacts', { name: 'G', phone_number: '(212) 555-0101' }),
    );
    expect((await openedBy(workspace, await send())).conversation.contact_id).toBe(contact_id);
  });

  it.each([
    ['(212) 555-0101', 'US', '+12125550101'],
    ['212.555.0101', 'US', '+12125550101'],
    ['+44 20 7946 0958', 'US', '+442079460958'],
    ['030 12345678', 'DE', '+493012345678'],
  ])('to %s of an organization in %s goes to %s', async (to_phone_number, default_region, to) => {
    const own = await newWorkspace({ organization: { default_region } });
    await textsBy(own, twilio.url);
    await openedBy(own, await send({ to_phone_number }, own));
    expect(twilio.seen.map((one) => one.to)).toEqual([to]);
  });

  it('is plain text made from the HTML, its links untouched', async () => {
    const url = 'https://acme.example/a?b=1&c=Gr%C3%BC%C3%9Fe#x';
    const body_html = `<p>Größe &amp; <b>Form</b> 🎉</p><p><a href="${url.replace('&', '&amp;')}">here</a></p>`;
    const { message } = await openedBy(workspace, await send({ body_html }));
    const { body } = twilio.seen[0]!;
    expect(body).toContain('Größe & Form 🎉');
    expect(body).toContain(url);
    expect(body).not.toMatch(/<p>|<b>|\/l\/link_/);
    expect(message).toMatchObject({ content: body, tracked_links: [] });
  });

  it('has the lines of a body that is no HTML, as people type it', async () => {
    const body_html = 'Hello,\n\n1 < 2 & so on\nBye 🎉';
    const { message } = await openedBy(workspace, await send({ body_html }));
    expect([twilio.seen[0]!.body, message.content]).toEqual([body_html, body_html]);
  });

  it('of a subject alone says the subject', async () => {
    await openedBy(workspace, await send({ subject: 'Call me', body_html: undefined }));
    expect(twilio.seen[0]!.body).toBe('Call me');
  });

  it('of a body without text says the subject, and is refused where that says nothing either', async () => {
    await openedBy(
      workspace,
      await send({ subject: 'Blue?', body_html: '<img src="https://x.example/y.png">' }),
    );
    expect(twilio.seen[0]!.body).toBe('Blue?');
    const refused = await workspace.api.post('message-drafts', text({ body_html: '<p> </p>' }));
    expectProblem(refused, 400, 'validation_failed');
    expect(refused.body.errors).toEqual([{ field: 'body_html', detail: 'leaves no text to send' }]);
  });

  it('has no blanks around what it says', async () => {
    await openedBy(workspace, await send({ body_html: '<ul><li>Blue</li></ul><p></p><br>' }));
    expect(twilio.seen[0]!.body).toBe('* Blue');
  });

  it('that was taken is a message, even if the answer broke off after its status', async () => {
    twilio.respond = refuseFirst('half an answer');
    await openedBy(workspace, await send());
    expect(twilio.seen).toHaveLength(1);
  });

  it('of which every acceptance has the same id makes a message each', async () => {
    twilio.sid = 'SM1';
    const drafts = [];
    for (let nr = 0; nr < 2; nr++) drafts.push(await send({ body_html: `<p>${nr}</p>` }));
    for (const draft of drafts) await openedBy(workspace, draft);
    expect(twilio.seen).toHaveLength(2);
  });
});

describe('a refused text', () => {
  it.each([400, 401, 403, 404, 301])('with HTTP %i fails at once, with the reason', async (status) => {
    twilio.respond = () => ({ status, code: 21211, message: "The 'To' number is not valid" });
    const draft = await send();
    const failed = await messageDraftWith(workspace, draft, 'failed');
    expect(failed.delivery).toEqual({
      status: 'failed',
      attempts: 1,
      last_error: expect.stringContaining("The 'To' number is not valid"),
      next_attempt_at: null,
    });
    expect(failed.delivery.last_error).toContain(String(status));
    expect(failed.scheduled_send_at).toBeNull();
    expect(twilio.seen).toHaveLength(1);
    twilio.respond = undefined;
    await ok(workspace.api.post(`message-drafts/${draft.draft_id}/send`));
    await openedBy(workspace, draft);
  });

  it('by another protocol (101) fails at once', async () => {
    twilio.respond = () => 'another protocol';
    const { delivery } = await messageDraftWith(workspace, await send(), 'failed');
    expect(delivery).toMatchObject({ attempts: 1, last_error: 'HTTP 101: no reason given' });
  });

  it.each([429, 500, 502, 503, 504])(
    'with HTTP %i is tried again until it is taken, once',
    async (status) => {
      twilio.respond = refuseFirst({ status, message: 'busy' }, { status });
      await openedBy(workspace, await send());
      expect([twilio.seen.length, twilio.texts.length]).toEqual([3, 1]);
    },
  );

  it('shows as retrying, with the reason and the next try', async () => {
    twilio.respond = () => ({ status: 429, code: 20429, message: 'Too Many Requests' });
    const { delivery } = await messageDraftWith(workspace, await send(), 'retrying');
    expect(delivery).toMatchObject({
      last_error: expect.stringMatching(/429.*20429.*Too Many Requests/),
      next_attempt_at: expect.stringMatching(/Z$/),
    });
  });

  it('by a refused connection is tried again, and leaves when the provider is back', async () => {
    const port = await freePort();
    await textsBy(workspace, `http://127.0.0.1:${port}`);
    const draft = await send();
    const { delivery } = await messageDraftWith(workspace, draft, 'retrying');
    expect(delivery.last_error).toMatch(/ECONNREFUSED|refused/i);
    const back = await startTwilio(port);
    await openedBy(workspace, draft);
    expect(back.seen).toHaveLength(1);
    await back.close();
  });

  it('for a reason that holds what cannot be stored fails at once', async () => {
    twilio.respond = () => ({ status: 400, message: 'no\0pe \ud800' });
    const { delivery } = await messageDraftWith(workspace, await send(), 'failed');
    expect(delivery).toMatchObject({ attempts: 1, last_error: 'HTTP 400: nope \ufffd' });
  });

  it('by a channel that was removed fails', async () => {
    await textsBy(workspace, `http://127.0.0.1:${await freePort()}`);
    const draft = await send();
    await messageDraftWith(workspace, draft, 'retrying');
    await workspace.adminApi.delete('channels/text');
    await messageDraftWith(workspace, draft, 'failed');
  });
});

describe('a text whose answer got lost', () => {
  it('is uncertain and is not sent again by itself; a person may', async () => {
    twilio.respond = refuseFirst('drop');
    const draft = await send({ body_html: '<p>Only once</p>' });
    const { delivery, scheduled_send_at } = await messageDraftWith(workspace, draft, 'uncertain');
    expect(delivery).toEqual({
      status: 'uncertain',
      attempts: 1,
      last_error: expect.stringMatching(/\S/),
      next_attempt_at: null,
    });
    expect(scheduled_send_at).toBeNull();
    await anotherLeaves();
    expect(twilio.seen.filter(({ body }) => body === 'Only once')).toHaveLength(1);
    await ok(workspace.api.post(`message-drafts/${draft.draft_id}/send`));
    await openedBy(workspace, draft);
  });

  it('is uncertain in a response draft, too, and can be deleted', async () => {
    const question = await receivedMail(workspace, {
      modality: 'text',
      contact: { phone_number: '+12125550101' },
      email_metadata: undefined,
    });
    twilio.respond = refuseFirst('drop');
    const draft = await ok(workspace.api.post(draftsOf(question), autosend()));
    await draftWith(workspace, draft, 'uncertain');
    expect((await workspace.api.delete(`${draftsOf(question)}/${draft.response_id}`)).status).toBe(204);
    expect(twilio.seen).toHaveLength(1);
  });
});

describe('a report that a text was not delivered', () => {
  const report = async (sid: string): Promise<void> => {
    const channel = await ok(workspace.adminApi.get('channels/text'));
    const parameters = { MessageSid: sid, MessageStatus: 'undelivered', ErrorCode: '30005' };
    const signature = twilioSignature(channel.hooks.twilio, parameters, 'secret-of-AC1');
    expect((await pushText(workspace, channel, parameters, signature)).status).toBe(200);
  };
  const failed = async (draft: Json): Promise<Json> =>
    (await ok(workspace.admin.get('deliveries', { status: 'failed' }))).data.find(
      ({ draft_id }: Json) => draft_id === draft.draft_id,
    );

  it('has its delivery listed as failed', async () => {
    const draft = await send();
    await openedBy(workspace, draft);
    await report(twilio.texts[0]!.sid);
    expect(await failed(draft)).toMatchObject({ last_error: 'undelivered by the carrier, error 30005' });
  });

  it('and comes before the answer that it was taken is not forgotten', async () => {
    let reported: Promise<void> | undefined;
    twilio.respond = async ({ sid }) => {
      reported = report(sid);
      await sleep(500);
      return undefined;
    };
    const draft = await send();
    await openedBy(workspace, draft);
    await reported;
    expect(await failed(draft)).toMatchObject({ last_error: 'undelivered by the carrier, error 30005' });
  });
});

describe('a reply', () => {
  const inbound = (fields: object): Promise<Json> =>
    receivedMail(workspace, {
      contact: { name: 'Grace Hopper', phone_number: '+12125550101', email: `${unique('g')}@navy.example` },
      email_metadata: undefined,
      subject: undefined,
      ...fields,
    });
  const reply = (message: Json, fields: object = {}): Promise<Json> =>
    ok(workspace.api.post(draftsOf(message), autosend(fields)));

  it.each(['text', 'call'])('to a %s leaves as a text, in its conversation', async (modality) => {
    const question = await inbound({ modality });
    const message = await promotedMessage(workspace, await reply(question));
    expect(message).toMatchObject({
      conversation_id: question.conversation_id,
      modality: 'text',
      message_direction: 'sent',
      content: 'Yes, we do.',
      email_metadata: { email_message_id: null },
    });
    expect(twilio.seen).toMatchObject([{ to: '+12125550101', body: 'Yes, we do.' }]);
  });

  it('to nobody yet follows up on the text that was sent', async () => {
    const { conversation } = await openedBy(workspace, await send({ to_email: 'grace@navy.example' }));
    const message = await promotedMessage(
      workspace,
      await ok(workspace.api.post(draftsOf(conversation), autosend())),
    );
    expect(message.modality).toBe('text');
    expect(twilio.seen).toHaveLength(2);
  });

  it('to a text that came by the door leaves as a text to its sender', async () => {
    const channel = await ok(workspace.adminApi.get('channels/text'));
    const parameters = twilioText({ From: '+12125550177' });
    const signature = twilioSignature(channel.hooks.twilio, parameters, 'secret-of-AC1');
    expect((await pushText(workspace, channel, parameters, signature)).status).toBe(200);
    const [{ conversation_id }] = (await ok(workspace.api.get('conversations'))).data;
    await promotedMessage(workspace, await reply({ conversation_id }));
    expect(twilio.seen).toMatchObject([{ to: '+12125550177' }]);
  });

  it.each(['email', 'web'])('to a form that came by %s leaves as an e-mail', async (modality) => {
    const smtp = await startSmtp();
    await emailChannel(workspace, smtp.port);
    const question = await inbound({
      modality,
      is_form_request: true,
      form_request_body: { fields: { size: 'L' } },
    });
    const message = await promotedMessage(workspace, await reply(question));
    expect(message).toMatchObject({ modality: 'email', message_direction: 'sent' });
    expect([smtp.seen.length, twilio.seen.length]).toEqual([1, 0]);
    await smtp.close();
  });

  it('to a live chat becomes a message at once, by no provider', async () => {
    await ok(workspace.adminApi.put('channels/live_chat', { provider: 'inbox' }));
    const question = await inbound({ modality: 'live_chat' });
    const draft = await reply(question, { body_html: '<p>Hi <b>there</b></p>' });
    const message = await promotedMessage(workspace, draft);
    expect(message).toMatchObject({
      conversation_id: question.conversation_id,
      modality: 'live_chat',
      message_direction: 'sent',
      content: 'Hi there',
    });
    expect(twilio.seen).toEqual([]);
  });

  it('to a live chat leaves as an e-mail where there is no inbox for live chats', async () => {
    const smtp = await startSmtp();
    await emailChannel(workspace, smtp.port);
    const message = await promotedMessage(workspace, await reply(await inbound({ modality: 'live_chat' })));
    expect([message.modality, smtp.seen.length]).toEqual(['email', 1]);
    await smtp.close();
  });

  it('goes by the latest inbound message: a text after a mail is answered by a text', async () => {
    const mail = await inbound({ modality: 'email' });
    const { conversation_id } = mail;
    await inbound({ modality: 'text', contact: undefined, conversation_id });
    expect((await promotedMessage(workspace, await reply(mail))).modality).toBe('text');
  });

  it('that was saved before it changed leaves by the channel of the moment it is sent', async () => {
    const mail = await inbound({ modality: 'email' });
    const draft = await ok(workspace.api.post(draftsOf(mail), { body_html: '<p>Yes</p>' }));
    await inbound({ modality: 'text', contact: undefined, conversation_id: mail.conversation_id });
    await ok(workspace.api.post(`${draftsOf(mail)}/${draft.response_id}/send`));
    expect((await promotedMessage(workspace, draft)).modality).toBe('text');
  });
});

describe('with a worker of its own', () => {
  // Some of what is answered here must be answered in time, though this process may be held up.
  const env = { DELIVERY_LEASE_MS: '60000', DELIVERY_TIMEOUT_MS: '5000', DELIVERY_MAX_ATTEMPTS: '3' };
  let server: Server;
  let own: Workspace;

  /** Has the tests of a block share a server of this environment, each in a workspace of its own. */
  const startOnce = (more: Record<string, string> = {}): void => {
    beforeAll(async () => {
      server = await startServer({ env: { ...env, ...more } });
    });
    beforeEach(async () => {
      own = await newWorkspace({ url: server.url });
      await textsBy(own, twilio.url);
    });
    afterAll(async () => {
      await server.stop();
      removeDataDir(server.dataDir);
    });
  };

  describe('that waits for seconds', () => {
    startOnce();

    it('a text that is not answered in time is uncertain, and is asked for once', async () => {
      twilio.respond = () => 'hang';
      const draft = await send({ body_html: '<p>Only once</p>' }, own);
      expect((await messageDraftWith(own, draft, 'uncertain')).delivery.last_error).toMatch(/time/);
      await anotherLeaves(own);
      expect(twilio.seen.filter(({ body }) => body === 'Only once')).toHaveLength(1);
    });

    it('a text that was taken is a message, even if the rest of the answer does not come in time', async () => {
      twilio.respond = () => 'an answer without end';
      await openedBy(own, await send({}, own));
      expect(twilio.seen).toHaveLength(1);
    });

    it('a text that is refused for a while fails after DELIVERY_MAX_ATTEMPTS, with the last reason', async () => {
      twilio.respond = () => ({ status: 503, message: 'still busy' });
      const { delivery } = await messageDraftWith(own, await send({}, own), 'failed');
      expect(delivery).toEqual({
        status: 'failed',
        attempts: 3,
        last_error: expect.stringContaining('still busy'),
        next_attempt_at: null,
      });
      expect(twilio.seen).toHaveLength(3);
    });
  });

  describe('that waits for a minute', () => {
    startOnce({ DELIVERY_TIMEOUT_MS: '59000' });

    it('a text that a killed worker was sending is uncertain, and is asked for once', async () => {
      twilio.respond = () => 'hang';
      const draft = await send({}, own);
      await until(() => twilio.seen.length === 1);
      await server.kill();
      const { dataDir } = server;
      server = await startServer({ dataDir });
      own = { ...own, api: Object.assign(own.api.with({}), { url: server.url }) };
      await messageDraftWith(own, draft, 'uncertain');
      expect(twilio.seen).toHaveLength(1);
    });
  });

  describe('that is told to send texts of unknown outcome again', () => {
    startOnce({ DELIVERY_ON_UNCERTAIN_TEXT: 'resend' });

    it('DELIVERY_ON_UNCERTAIN_TEXT=resend sends a text of unknown outcome again', async () => {
      twilio.respond = refuseFirst('drop', 'hang');
      await openedBy(own, await send({}, own));
      expect(twilio.seen).toHaveLength(3);
    });

    it('DELIVERY_ON_UNCERTAIN_TEXT=resend holds it after the last try', async () => {
      twilio.respond = () => 'drop';
      expect((await messageDraftWith(own, await send({}, own), 'uncertain')).delivery.attempts).toBe(3);
      expect(twilio.seen).toHaveLength(3);
    });
  });
});
