import {
  type Answer,
  emailChannel,
  type Json,
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
  type MailFields,
  postMail,
  promotedMessage,
  rawMail,
  receivedMail,
} from '../support/data/mail.js';
import { pushText, textChannel, twilioText } from '../support/clients/doors.js';
import { readFeed } from '../support/clients/feed.js';
import { firstMessage, messageDraftWith, openedBy } from '../support/data/message-drafts.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { startTwilio, textsBy } from '../support/stand-ins/twilio.js';

let workspace: Workspace;
let smtp: TestSmtp;
let channel: Json;

beforeAll(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, smtp.port);
});

afterAll(() => smtp.close());

const person = (): string => `${unique('grace')}@navy.example`;
const add = (body: object): Promise<Answer> => workspace.api.post('suppressions', body);
const added = (body: object): Promise<Json> => ok(add(body));
const listed = async (): Promise<Json[]> =>
  (await ok(workspace.api.get('suppressions', { limit: 200 }))).data;
const reasonOf = async (email: string): Promise<string | undefined> =>
  (await listed()).find((one) => one.email === email)?.reason;
const typesOf = async ({ suppression_id }: Json): Promise<string[]> =>
  (await readFeed(workspace.api, { record_id: suppression_id })).data.map(({ type }: Json) => type);
const draft = (fields: object): Promise<Answer> => workspace.api.post('message-drafts', firstMessage(fields));

describe('a suppression', () => {
  it('lists an address, by hand when no reason is given', async () => {
    const email = person();
    const answer = await add({ email });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      suppression_id: expect.stringMatching(/^supp_[0-9a-z]{26}$/),
      email,
      phone_number: null,
      reason: 'manual',
      created_at: expect.stringMatching(INSTANT),
    });
    expect((await listed())[0]).toEqual(answer.body);
  });

  it('lists a number, with the reason given', async () => {
    const one = await added({ phone_number: '(212) 555-0142', reason: 'unsubscribed' });
    expect(one).toMatchObject({ email: null, phone_number: '(212) 555-0142', reason: 'unsubscribed' });
  });

  it('is one for all spellings: 200 with the one that is there', async () => {
    const name = unique('ann');
    const first = await added({ email: `${name}@BÜYER.example` });
    const again = await add({ email: `${name.toUpperCase()}@xn--byer-0ra.example`, reason: 'bounced' });
    expect([again.status, again.body]).toEqual([200, first]);
    const number = await added({ phone_number: '+1 212 555 0143' });
    expect(await added({ phone_number: '212-555-0143' })).toEqual(number);
  });

  it.each([
    ['neither', {}],
    ['both', { email: 'ann@x.example', phone_number: '+1 212 555 0101' }],
    ['no address', { email: 'ann' }],
    ['no number', { phone_number: 'ann' }],
    ['null', { email: null }],
    ['another reason', { email: 'ann@x.example', reason: 'bored' }],
  ])('is 400 for %s', async (_, body) => {
    expectProblem(await add(body), 400, 'validation_failed');
  });

  it('is taken away once, and may then be added anew', async () => {
    const email = person();
    const { suppression_id } = await added({ email });
    expect((await workspace.api.delete(`suppressions/${suppression_id}`)).status).toBe(204);
    expect(await reasonOf(email)).toBeUndefined();
    expectProblem(await workspace.api.delete(`suppressions/${suppression_id}`), 404, 'suppression_not_found');
    expect((await add({ email })).status).toBe(201);
  });

  it('is of one organization', async () => {
    const other = await newWorkspace();
    const { suppression_id } = await added({ email: person() });
    expectProblem(await other.api.delete(`suppressions/${suppression_id}`), 404, 'suppression_not_found');
    expect((await ok(other.api.get('suppressions'))).data).toEqual([]);
  });

  it('is listed once when many list it at once', async () => {
    const email = person();
    const answers = await Promise.all(Array.from({ length: 20 }, () => add({ email })));
    expect(new Set(answers.map(({ body }) => body.suppression_id)).size).toBe(1);
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1);
  });

  it('is in the event feed when it comes and goes', async () => {
    const one = await added({ email: person() });
    await ok(workspace.api.delete(`suppressions/${one.suppression_id}`));
    const { data } = await readFeed(workspace.api, {
      types: 'SuppressionAdded,SuppressionRemoved',
      limit: 200,
    });
    const events = data.filter(({ stream }: Json) => stream.id === one.suppression_id);
    expect(events.map(({ type, data }: Json) => [type, data])).toEqual([
      ['SuppressionAdded', one],
      ['SuppressionRemoved', {}],
    ]);
  });
});

describe('a message draft to a suppressed address', () => {
  it.each([
    ['to_email', (email: string) => ({ to_email: email })],
    ['cc_emails', (email: string) => ({ cc_emails: [person(), email] })],
    ['bcc_emails', (email: string) => ({ bcc_emails: [email] })],
  ])('in %s is refused by name, at once and when it is sent after review', async (field, fields) => {
    const email = person();
    await added({ email: email.toUpperCase(), reason: 'complained' });
    const expected = [{ field, detail: `${email} is suppressed (complained)` }];
    const refused = await draft(fields(email));
    expectProblem(refused, 400, 'recipient_suppressed');
    expect(refused.body.errors).toEqual(expected);
    const saved = await ok(draft({ ...fields(email), autosend_draft: false }));
    const sending = await workspace.api.post(`message-drafts/${saved.draft_id}/send`);
    expectProblem(sending, 400, 'recipient_suppressed');
    expect(sending.body.errors).toEqual(expected);
  });

  it('leaves once the address is no longer suppressed', async () => {
    const to_email = person();
    const { suppression_id } = await added({ email: to_email });
    const saved = await ok(draft({ to_email, autosend_draft: false }));
    await ok(workspace.api.delete(`suppressions/${suppression_id}`));
    await ok(workspace.api.post(`message-drafts/${saved.draft_id}/send`));
    await openedBy(workspace, saved);
  });

  it('fails for good when it was queued before', async () => {
    const to_email = person();
    const queued = await ok(draft({ to_email, send_at: inSeconds(6) }));
    await added({ email: to_email, reason: 'unsubscribed' });
    const { delivery } = await messageDraftWith(workspace, queued, 'failed');
    expect(delivery.last_error).toBe(`${to_email} is suppressed (unsubscribed)`);
    expect(smtp.seen.flatMap(({ to }) => to)).not.toContain(to_email);
  });

  it('is refused by number, too', async () => {
    const twilio = await startTwilio();
    await textsBy(workspace, twilio.url);
    await added({ phone_number: '+1 212 555 0177' });
    const fields = { modality: 'text', subject: undefined, to_email: undefined };
    const answer = await draft({ ...fields, to_phone_number: '(212) 555-0177' });
    expectProblem(answer, 400, 'recipient_suppressed');
    expect(answer.body.errors[0].field).toBe('to_phone_number');
    await twilio.close();
  });
});

describe('a reply to a suppressed address', () => {
  const asked = (email: string): Promise<Json> =>
    receivedMail(workspace, { contact: { name: 'Grace', email } });

  it.each(['unsubscribed', 'complained', 'manual'])('leaves when it is %s', async (reason) => {
    const email = person();
    const question = await asked(email);
    await added({ email, reason });
    await promotedMessage(workspace, await ok(workspace.api.post(draftsOf(question), autosend())));
  });

  it('is refused when it bounced', async () => {
    const email = person();
    const question = await asked(email);
    await added({ email, reason: 'bounced' });
    const answer = await workspace.api.post(draftsOf(question), autosend());
    expectProblem(answer, 400, 'recipient_suppressed');
    expect(answer.body.errors).toEqual([
      { field: 'recipient_email', detail: `${email} is suppressed (bounced)` },
    ]);
  });
});

describe('an address is suppressed as bounced', () => {
  const sentTo = async (email: string): Promise<string> => {
    const { message } = await openedBy(workspace, await ok(draft({ to_email: email })));
    return `<${message.email_metadata.email_message_id}>`;
  };
  const reported = async (status: string, diagnostic = '550 5.1.1 no such user'): Promise<string> => {
    const email = person();
    const raw = bounceOf(await sentTo(email), email)
      .toString()
      .replace('Status: 5.1.1', `Status: ${status}`)
      .replace('550 5.1.1 no such user', diagnostic);
    expect((await postMail(channel, Buffer.from(raw))).status).toBe(202);
    return email;
  };

  it.each(['5.1.1', '5.1.10', '5.2.1'])('when a report about a mail to it says %s', async (status) => {
    expect(await reasonOf(await reported(status))).toBe('bounced');
  });

  it.each(['4.1.1', '5.2.2', '5.6.0', '5.7.1'])('but not when the report says %s', async (status) => {
    expect(await reasonOf(await reported(status))).toBeUndefined();
  });

  it.each([
    ['550 5.1.1 no such user', 'bounced'],
    ['550 Benutzer unbekannt', 'bounced'],
    ['550 5.7.1 no such user', undefined],
    ['550 Rejected because 192.0.2.7 is in a black list', undefined],
  ])('as the diagnostic %j tells where the status is 5.0.0: %s', async (diagnostic, reason) => {
    expect(await reasonOf(await reported('5.0.0', diagnostic))).toBe(reason);
  });

  it('when a report about a mail to it says so that was sent elsewhere and recorded', async () => {
    const [email, copied, victim] = [person(), person(), person()];
    const email_message_id = `${unique('mail')}@us.example`;
    await ok(
      workspace.api.post('messages', {
        ...{ modality: 'email', message_direction: 'sent', content: 'Hello', contact: { email } },
        ...{ to: [{ email }], email_metadata: { email_message_id, cc_emails: [copied] } },
      }),
    );
    for (const gone of [email, copied, victim])
      expect((await postMail(channel, bounceOf(`<${email_message_id}>`, gone))).status).toBe(202);
    expect(await reasonOf(email)).toBe('bounced');
    expect(await reasonOf(copied)).toBe('bounced');
    expect(await reasonOf(victim)).toBeUndefined();
  });

  it('but not by a report about a mail that went to others', async () => {
    const victim = person();
    await postMail(channel, bounceOf(await sentTo(person()), victim));
    expect(await reasonOf(victim)).toBeUndefined();
  });

  it.each([
    [{ code: 550, text: '5.1.1 No such user' }, 'bounced'],
    [{ code: 550, text: 'No such user' }, 'bounced'],
    [{ code: 550, text: 'Empfänger unbekannt' }, 'bounced'],
    [{ code: 556, text: '5.1.10 The domain takes no mail' }, 'bounced'],
    [{ code: 550, text: '5.7.1 No such user' }, undefined],
    [{ code: 550, text: 'SPF: 192.0.2.7 may not send mail from acme.example' }, undefined],
    [{ code: 550, text: 'mailbox is full' }, undefined],
    [{ code: 553, text: 'Not here' }, undefined],
  ])('when the server refuses it by %j: %s', async (refusal, reason) => {
    const [email, other] = [person(), person()];
    smtp.respond.rcptTo = (address) => (address === email ? refusal : undefined);
    await messageDraftWith(workspace, await ok(draft({ to_email: email })), 'failed');
    expect(await reasonOf(email)).toBe(reason);
    const some = await draft({ to_email: other, cc_emails: [email] });
    if (reason) expectProblem(some, 400, 'recipient_suppressed');
    delete smtp.respond.rcptTo;
  });

  it.each([
    [{ code: 550, text: '5.1.1 No such user' }, 'bounced'],
    [{ code: 550, text: 'No such user' }, undefined],
  ])('when the server refuses the mail to it alone by %j: %s', async (refusal, reason) => {
    const email = person();
    smtp.respond.data = () => refusal;
    await messageDraftWith(workspace, await ok(draft({ to_email: email })), 'failed');
    delete smtp.respond.data;
    expect(await reasonOf(email)).toBe(reason);
  });

  it('but not when the server refuses a mail to it and others', async () => {
    const [email, other] = [person(), person()];
    smtp.respond.data = () => ({ code: 550, text: '5.1.1 No such user' });
    await messageDraftWith(workspace, await ok(draft({ to_email: email, cc_emails: [other] })), 'failed');
    delete smtp.respond.data;
    expect([await reasonOf(email), await reasonOf(other)]).toEqual([undefined, undefined]);
  });

  it('when the server refuses it among others', async () => {
    const [email, other] = [person(), person()];
    smtp.respond.rcptTo = (address) => (address === email ? { code: 550, text: 'No such user' } : undefined);
    const question = await receivedMail(workspace, { contact: { name: 'Grace', email: other } });
    const reply = await ok(workspace.api.post(draftsOf(question), autosend({ cc_emails: [email] })));
    await promotedMessage(workspace, reply);
    delete smtp.respond.rcptTo;
    expect([await reasonOf(email), await reasonOf(other)]).toEqual(['bounced', undefined]);
  });

  it.each(['manual', 'unsubscribed', 'complained'])(
    'when it was %s before: replies to it are refused from then on, and its entry stays',
    async (reason) => {
      const email = person();
      const question = await receivedMail(workspace, { contact: { name: 'Grace', email } });
      const report = bounceOf(await sentTo(email), email);
      const entry = await added({ email: email.toUpperCase(), reason });
      for (const _ of ['first', 'again']) expect((await postMail(channel, report)).status).toBe(202);
      expect((await listed()).find((one) => one.email === email.toUpperCase())).toEqual({
        ...entry,
        reason: 'bounced',
      });
      const answer = await workspace.api.post(draftsOf(question), autosend());
      expectProblem(answer, 400, 'recipient_suppressed');
      expect(await typesOf(entry)).toEqual(['SuppressionAdded', 'SuppressionBounced']);
    },
  );

  it('when it was unsubscribed before and the server refuses a reply to it', async () => {
    const email = person();
    const question = await receivedMail(workspace, { contact: { name: 'Grace', email } });
    await added({ email, reason: 'unsubscribed' });
    smtp.respond.rcptTo = () => ({ code: 550, text: '5.1.1 No such user' });
    const reply = await ok(workspace.api.post(draftsOf(question), autosend()));
    await draftWith(workspace, reply, 'failed');
    delete smtp.respond.rcptTo;
    expect(await reasonOf(email)).toBe('bounced');
  });

  it('and a reply that waits for another try to it fails', async () => {
    const email = person();
    const question = await receivedMail(workspace, { contact: { name: 'Grace', email } });
    const reply = await ok(workspace.api.post(draftsOf(question), autosend({ send_at: inSeconds(6) })));
    await added({ email, reason: 'bounced' });
    await draftWith(workspace, reply, 'failed');
  });
});

describe('a mail that comes in', () => {
  const wrote = async (email: string, fields: MailFields = {}): Promise<void> => {
    expect((await postMail(channel, rawMail({ from: `Grace <${email}>`, ...fields }))).status).toBe(201);
  };

  it('lifts the suppression of an address that bounced, whatever its spelling', async () => {
    const name = unique('grace');
    const entry = await added({ email: `${name}@BÜYER.example`, reason: 'bounced' });
    await wrote(`${name.toUpperCase()}@xn--byer-0ra.example.`);
    expect(await reasonOf(entry['email'])).toBeUndefined();
    expect(await typesOf(entry)).toEqual(['SuppressionAdded', 'SuppressionRemoved']);
  });

  it('lets replies be sent to it again', async () => {
    const email = person();
    const question = await receivedMail(workspace, { contact: { name: 'Grace', email } });
    await added({ email, reason: 'bounced' });
    expectProblem(await workspace.api.post(draftsOf(question), autosend()), 400, 'recipient_suppressed');
    await wrote(email);
    await promotedMessage(workspace, await ok(workspace.api.post(draftsOf(question), autosend())));
  });

  it.each(['unsubscribed', 'complained', 'manual'])('leaves the address %s', async (reason) => {
    const email = person();
    await added({ email, reason });
    await wrote(email);
    expect(await reasonOf(email)).toBe(reason);
  });

  it('leaves the address unsubscribed that bounced later', async () => {
    const email = person();
    const { message } = await openedBy(workspace, await ok(draft({ to_email: email })));
    const entry = await added({ email, reason: 'unsubscribed' });
    await ok(postMail(channel, bounceOf(`<${message.email_metadata.email_message_id}>`, email)));
    expect(await reasonOf(email)).toBe('bounced');
    await wrote(email);
    expect(await reasonOf(email)).toBe('unsubscribed');
    const types = ['SuppressionAdded', 'SuppressionBounced', 'SuppressionBounceLifted'];
    expect(await typesOf(entry)).toEqual(types);
  });

  it('lifts nothing when it is an automatic one, or comes again', async () => {
    const email = person();
    const raw = rawMail({ from: `Grace <${email}>` });
    expect((await postMail(channel, raw)).status).toBe(201);
    await added({ email, reason: 'bounced' });
    expect((await postMail(channel, raw)).status).toBe(200);
    await wrote(email, { headers: ['Auto-Submitted: auto-replied'] });
    expect(await reasonOf(email)).toBe('bounced');
  });

  it('lifts nothing when it is recorded by hand', async () => {
    const email = person();
    await added({ email, reason: 'bounced' });
    await receivedMail(workspace, { contact: { name: 'Grace', email } });
    expect(await reasonOf(email)).toBe('bounced');
  });
});

describe('an address is suppressed as complained', () => {
  /** A feedback report (RFC 5965) about a first message; leaves the recipient out for null. */
  const complained = async (sent: string[], by: string | null): Promise<void> => {
    const [to_email, ...cc_emails] = sent;
    const { message } = await openedBy(workspace, await ok(draft({ to_email, cc_emails })));
    const raw = rawMail({
      from: 'Abuse Desk <abuse@isp.example>',
      headers: [
        'MIME-Version: 1.0',
        'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
      ],
      body: [
        ...['--b', 'Content-Type: text/plain', '', 'This is an abuse report.'],
        ...['--b', 'Content-Type: message/feedback-report', '', 'Feedback-Type: abuse', 'Version: 1'],
        ...(by === null ? [] : [`Original-Rcpt-To: <${by}>`]),
        ...['--b', 'Content-Type: message/rfc822', ''],
        ...[
          `Message-ID: <${message.email_metadata.email_message_id}>`,
          'Subject: Your renewal',
          '',
          'Hello',
          '--b--',
        ],
      ].join('\n'),
    });
    await ok(postMail(channel, raw));
  };

  it('when a report about a mail to it names it', async () => {
    const [one, other] = [person(), person()];
    await complained([one, other], other.toUpperCase());
    expect([await reasonOf(one), await reasonOf(other)]).toEqual([undefined, 'complained']);
  });

  it('when a report about a mail to it alone names nobody', async () => {
    const email = person();
    await complained([email], null);
    expect(await reasonOf(email)).toBe('complained');
  });

  it('but not when the mail went to others, or to several and nobody is named', async () => {
    const [one, other, victim] = [person(), person(), person()];
    await complained([one], victim);
    await complained([one, other], null);
    for (const email of [one, other, victim]) expect(await reasonOf(email)).toBeUndefined();
  });
});

describe('a number is unsubscribed', () => {
  const reasonOfNumber = async (number: string): Promise<string | undefined> =>
    (await listed()).find(({ phone_number }) => phone_number === number)?.reason;
  const texted = async (From: string, fields: Record<string, string>): Promise<void> => {
    const texts = await textChannel(workspace);
    expect((await pushText(workspace, texts, twilioText({ From, ...fields }))).status).toBe(200);
  };

  it.each([['STOP'], [' stop '], ['Unsubscribe']])('by a text that says %j', async (Body) => {
    const number = `+1212555${String(2_000 + listedNumbers++)}`;
    await texted(number, { Body });
    expect(await reasonOfNumber(number)).toBe('unsubscribed');
  });

  it('when Twilio says that its text asks for that', async () => {
    await texted('+12125553001', { Body: 'Arret', OptOutType: 'STOP' });
    expect(await reasonOfNumber('+12125553001')).toBe('unsubscribed');
  });

  it.each(['START', ' unstop ', 'Yes'])('until a text says %j', async (Body) => {
    const number = `+1212555${String(2_000 + listedNumbers++)}`;
    await texted(number, { Body: 'STOP' });
    await texted(number, { Body: 'Yes, please start' });
    expect(await reasonOfNumber(number)).toBe('unsubscribed');
    await texted(number, { Body });
    expect(await reasonOfNumber(number)).toBeUndefined();
  });

  it('until Twilio says that a text asks for that', async () => {
    await texted('+12125553004', { Body: 'STOP' });
    await texted('+12125553004', { Body: 'Oui', OptOutType: 'START' });
    expect(await reasonOfNumber('+12125553004')).toBeUndefined();
  });

  it.each(['manual', 'unsubscribed', 'bounced'])(
    'for ever when somebody listed it (%s), whatever it says',
    async (reason) => {
      const number = `+1212555${String(2_000 + listedNumbers++)}`;
      await added({ phone_number: number, reason });
      for (const Body of ['STOP', 'START']) await texted(number, { Body });
      expect(await reasonOfNumber(number)).toBe(reason);
    },
  );

  it('by the text that came last, whichever comes again', async () => {
    const number = '+12125553005';
    const [stop, start] = [unique('SM'), unique('SM')];
    await texted(number, { Body: 'STOP', MessageSid: stop });
    await texted(number, { Body: 'START', MessageSid: start });
    await texted(number, { Body: 'STOP', MessageSid: stop });
    expect(await reasonOfNumber(number)).toBeUndefined();
    await texted(number, { Body: 'STOP' });
    await texted(number, { Body: 'START', MessageSid: start });
    expect(await reasonOfNumber(number)).toBe('unsubscribed');
  });

  it('but not by a text in which the word only occurs', async () => {
    await texted('+12125553002', { Body: 'Where does the bus stop' });
    expect(await reasonOfNumber('+12125553002')).toBeUndefined();
  });

  it('when Twilio refuses a text because it is (error 21610)', async () => {
    const twilio = await startTwilio();
    await textsBy(workspace, twilio.url);
    twilio.respond = () => ({ status: 400, code: 21610, message: 'unsubscribed recipient' });
    const fields = { modality: 'text', subject: undefined, to_email: undefined };
    const sent = await ok(draft({ ...fields, to_phone_number: '+12125553003' }));
    await messageDraftWith(workspace, sent, 'failed');
    expect(await reasonOfNumber('+12125553003')).toBe('unsubscribed');
    await texted('+12125553003', { Body: 'START' });
    expect(await reasonOfNumber('+12125553003')).toBeUndefined();
    await twilio.close();
  });
});

let listedNumbers = 0;

const inSeconds = (seconds: number): string =>
  new Date(performance.timeOrigin + performance.now() + seconds * 1_000).toISOString();
