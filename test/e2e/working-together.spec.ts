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
import { draftsOf, newMessageId, postMail, promotedMessage, rawMail } from '../support/data/mail.js';
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

const WAITS = 2_500;
const mailTo = (address: string) => smtp.mails.find(({ to }) => to.includes(address));

it('a team deals with a mail: tagged, commented, snoozed, answered, closed and opened again', async () => {
  const { organizationId, admin } = workspace;
  const agents = `organizations/${organizationId}/agents`;
  const grace = await ok(admin.post(agents, { name: 'Grace', email: `${unique('grace')}@acme.example` }));
  const alan = await ok(admin.post(agents, { name: 'Alan', email: `${unique('alan')}@acme.example` }));
  await ok(admin.patch(`${agents}/${alan.agent_id}`, { signature_html: '<p>Alan, <b>Acme</b></p>' }));
  const key = await ok(newKey(admin, organizationId, { agent_id: alan.agent_id }));
  const api = apiOf(organizationId, key.api_key);

  // A mail comes in.
  const asked = { from: 'Ada Lovelace <ada@navy.example>', subject: 'Blue or green?', id: newMessageId() };
  const { conversation_id } = (await postMail(channel, rawMail(asked))).body;
  const path = `conversations/${conversation_id}`;
  const shown = (): Promise<Json> => ok(api.get(path));
  expect(await shown()).toMatchObject({ status: 'open', tags: [], comment_count: 0 });

  // It is tagged, and a colleague is asked.
  const { tag_id } = await ok(api.post('tags', { name: 'VIP', colour: '#1e90ff' }));
  await ok(api.post(`${path}/tags`, { add: [tag_id] }));
  const body = 'Which one did she take last year?';
  await ok(api.post(`${path}/comments`, { body, mentioned_agent_ids: [grace.agent_id] }));
  await until(() => mailTo(grace.email) !== undefined);

  // It can wait, and wakes up.
  const snoozed_until = new Date(Date.now() + WAITS).toISOString();
  expect(await ok(api.patch(path, { status: 'snoozed', snoozed_until }))).toMatchObject({
    status: 'snoozed',
  });
  await until(async () => (await shown()).status === 'open');

  // It is answered from a template, signed, and closed.
  const { template_id } = await ok(
    api.post('templates', {
      name: 'Colour',
      modality: 'email',
      body_html: '<p>Dear {{contact.name}}, green. {{agent.name}}</p>',
    }),
  );
  const drafts = draftsOf({ conversation_id });
  const draft = await ok(
    api.post(drafts, { template_id, close_after_send: true, autosend_draft: true, add_notification: false }),
  );
  await promotedMessage({ ...workspace, api }, { ...draft, conversation_id });
  await until(() => mailTo('ada@navy.example') !== undefined);
  const { parsed } = mailTo('ada@navy.example')!;
  expect(parsed.text).toMatch(/Dear Ada Lovelace, green\. Alan\s+-- \s+Alan, Acme/);
  expect(parsed.html).not.toContain(body);
  const closed = await shown();
  expect(closed).toMatchObject({ status: 'closed', message_count: 2, has_draft: false, comment_count: 1 });

  // She writes again.
  const again = rawMail({
    ...asked,
    subject: 'Re: Blue or green?',
    id: newMessageId(),
    inReplyTo: parsed.messageId,
  });
  await ok(postMail(channel, again));
  expect(await shown()).toMatchObject({ status: 'open', is_read: false, tags: [{ name: 'VIP' }] });

  // The audit log tells it all, in order.
  const { data } = await ok(api.get('audit-logs', { record_id: conversation_id, limit: 200 }));
  const told = data
    .toReversed()
    .flatMap(({ changes }: Json) =>
      changes
        .filter(({ field }: Json) => ['status', 'tags'].includes(field))
        .map(({ field, to }: Json) => (field === 'tags' ? to.map(({ name }: Json) => name).join() : to)),
    );
  expect(told.filter((one: unknown) => one !== '')).toEqual([
    'open',
    'VIP',
    'snoozed',
    'open',
    'closed',
    'open',
  ]);
});
