import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cli } from '../server/cli.js';
import { emailChannel, type Json, newKey, ok, unique } from '../clients/client.js';
import { signedIn } from '../clients/sessions.js';
import { pathOf, push, pushText, textChannel, twilioText } from '../clients/doors.js';
import { autosend, bounceOf, draftsOf, draftWith, messagesOf, newMessageId } from './mail.js';
import { mailWithFile, postMail, promotedMessage, rawMail, receivedMail } from './mail.js';
import { comments } from './comments.js';
import { endings } from './endings.js';
import { firstMessage, messageDraftWith, openedBy } from './message-drafts.js';
import { type Furnished, received, uploaded } from './records.js';
import { startSmtp, type TestSmtp } from '../stand-ins/smtp.js';
import { startTwilio, textsBy } from '../stand-ins/twilio.js';
import { until } from '../until.js';

/** Everything that is done in an organization, through every door, once. `env` is that of its server. */
export async function busyDay(workspace: Furnished, env: Record<string, string>): Promise<void> {
  const smtp = await startSmtp();
  try {
    const channel = await emailChannel(workspace, smtp.port);
    await settings(workspace);
    await recordsOfAllKinds(workspace);
    await tags(workspace);
    await messagesOfAllKinds(workspace);
    await countedAnew(workspace);
    await statuses(workspace);
    await comments(workspace);
    await endings(workspace);
    await templates(workspace);
    await threads(workspace, channel);
    const { mails } = smtp;
    await drafts(
      workspace,
      channel,
      async (count) => (await until(() => mails.length >= count), mails.at(-1)!),
    );
    await recipientRefusedForNow(workspace, smtp);
    await notices(workspace);
  } finally {
    await smtp.close();
  }
  await undeliverable(workspace);
  await webhooks(workspace);
  await commandLine(workspace, env);
}

/** What operators set up, also for several organizations at once. */
async function settings({ admin, adminApi, organizationId }: Furnished): Promise<void> {
  const other = await ok(admin.post('organizations', { name: 'Other' }));
  const organization_ids = [organizationId, other.organization_id];
  const { key_id } = await ok(admin.post('api-keys', { name: 'Both', organization_ids }));
  await ok(admin.post(`api-keys/${key_id}/rotate`, {}));
  await ok(admin.delete(`api-keys/${key_id}`));
  await ok(adminApi.post('agents', { name: 'Alan' }));
  const session = await signedIn(admin);
  await ok(session.get('/admin/v1/organizations'));
  await ok(session.delete('/console/session'));
  // A link that is none.
  await admin.get(`/console/session/${'x'.repeat(43)}`);
}

/** Every kind of record is given a tag, which is renamed and deleted. */
async function tags({ api, ids }: Furnished): Promise<void> {
  const { tag_id } = await ok(api.post('tags', { name: unique('urgent') }));
  const { contact_id } = await ok(api.post('contacts', { name: 'Tagged' }));
  const { company_id } = await ok(api.post('companies', { name: 'Tagged' }));
  const { conversation_id } = await ok(received(api, { contact: { contact_id } }));
  const { sale_id } = await ok(api.post('sales', { status_id: ids['status_id'], company_id }));
  for (const path of [
    `contacts/${contact_id}`,
    `companies/${company_id}`,
    `conversations/${conversation_id}`,
    `sales/${sale_id}`,
  ])
    await ok(api.post(`${path}/tags`, { add: [tag_id], remove: [ids['tag_id']] }));
  await ok(api.patch(`contacts/${contact_id}`, { company_role: 'CTO' }));
  await ok(api.patch(`tags/${tag_id}`, { name: unique('later'), colour: '#ff8800' }));
  await ok(api.delete(`tags/${tag_id}`));
}

async function recordsOfAllKinds(workspace: Furnished): Promise<void> {
  const { api, admin, adminApi, organizationId, agentId: agent_id, ids } = workspace;
  const unbound = await ok(newKey(admin, organizationId));
  const byKey = api.with({ 'x-api-key': unbound.api_key });
  await ok(byKey.post('tasks', { title: 'By a key' }));
  const { company_id } = await ok(api.post('companies', { name: 'Contoso', agent_id }));
  await ok(api.patch(`companies/${company_id}`, { domain: 'contoso.example' }));
  const repeated = api.with({ 'idempotency-key': unique('once') });
  const mary = { name: 'Mary', email: `${unique('mary')}@contoso.example`, company_id };
  const { contact_id } = await ok(repeated.post('contacts', mary));
  await ok(repeated.post('contacts', mary));
  await ok(api.patch(`contacts/${contact_id}`, { company_role: 'CEO' }));
  const message = await ok(received(api, { contact: { contact_id } }));
  const { conversation_id } = message;
  await ok(api.patch(`conversations/${conversation_id}`, { is_read: true, agent_id }));
  await ok(byKey.patch(`conversations/${conversation_id}`, { folder: 'by a key' }));

  const { data: stages } = await ok(api.get('sale-statuses'));
  const parties = { company_id, owner_id: agent_id, associated_contacts: [{ contact_id }] };
  const { sale_id } = await ok(
    api.post('sales', { status_id: stages[0].status_id, ...parties, conversation_ids: [conversation_id] }),
  );
  await ok(api.patch(`sales/${sale_id}`, { status_id: stages[1].status_id, associated_contacts: null }));
  await ok(api.patch(`sales/${sale_id}`, { conversation_ids: [conversation_id, ids['conversation_id']] }));
  const products = [{ product_name: 'Chair', quantity: 3, unit_price: '19.99' }];
  await ok(api.put(`sales/${sale_id}/quote`, { currency: 'USD', products }));
  await ok(received(api, { conversation_id }));
  const pipeline = stages.map(({ position: _, ...stage }: Json) => stage);
  const { status } = await adminApi.put('sale-statuses', pipeline.slice(2));
  if (status !== 400) throw new Error('a stage in use was dropped');

  const { task_id } = await ok(api.post('tasks', { title: 'Call', agent_id, sale_id }));
  await ok(
    api.patch(`tasks/${task_id}`, { sale_id: null, contact_id, completed_at: '2026-01-02T03:04:05Z' }),
  );
}

async function messagesOfAllKinds(workspace: Furnished): Promise<void> {
  const { api, adminApi } = workspace;
  const contact = { phone_number: '+1 212 555 0199' };
  const text = { modality: 'text', contact, external_id: unique('text') };
  for (const body of [text, text, { modality: 'text', contact, sent_at: '2026-01-02T03:04:05Z' }])
    await ok(received(api, body));
  const { conversation_id } = await ok(received(api, text));
  await ok(received(api, { modality: 'text', conversation_id, sent_at: '2026-01-02T03:04:06Z' }));
  const texts = await textChannel(workspace);
  await pushText(workspace, texts, twilioText());
  const call = { call_id: unique('CA'), direction: 'inbound', from: '+12125550199', to: '+12125550100' };
  await ok(push(workspace, pathOf(texts, 'call'), { body: { ...call, started_at: '2026-01-02T03:04:05Z' } }));
  const chat = await ok(adminApi.put('channels/live_chat', { provider: 'inbox' }));
  for (const body of ['Hello?', 'Anybody there?'])
    await ok(push(workspace, pathOf(chat, 'live_chat'), { body: { visitor_id: 'visitor', text: body } }));
}

/** Templates, drafts from them, and the agent's signature. */
async function templates(workspace: Furnished): Promise<void> {
  const { api, adminApi, agentId, ids } = workspace;
  const { conversation_id, contact_id, sale_id } = ids;
  await ok(adminApi.patch(`agents/${agentId}`, { name: 'Ada', signature_html: '<p>Ada</p>' }));
  const body_html = 'Dear {{contact.name}} of {{company.name}}';
  const { template_id } = await ok(api.post('templates', { name: 'Mail', modality: 'email', body_html }));
  await ok(api.patch(`templates/${template_id}`, { subject: 'For {{contact.name}}' }));
  for (const body of [{ conversation_id, sale_id }, { contact_id }])
    await ok(api.post(`templates/${template_id}/render`, body));
  const text = await ok(api.post('templates', { name: 'Text', modality: 'text', body_html }));
  const first = { to_email: 'grace@navy.example', to_phone_number: '+1 212 555 0101' };
  await ok(api.post('message-drafts', { modality: 'email', template_id, sale_id, ...first }));
  await ok(api.post('message-drafts', { modality: 'text', template_id: text.template_id, ...first }));
  await ok(api.post(draftsOf(ids), { template_id }));
  await ok(api.delete(`templates/${text.template_id}`));
}

/** A conversation that is in the figures turns out to have begun earlier. */
async function countedAnew({ api }: Furnished): Promise<void> {
  const { conversation_id, sent_at } = await ok(received(api, { contact: { name: 'Early' } }));
  const window = { start_date: '2026-01-01T00:00:00Z', end_date: '2036-01-01T00:00:00Z' };
  await until(async () => (await ok(api.get('analytics/conversations/volume', window))).as_of > sent_at);
  await ok(received(api, { conversation_id, sent_at: '2026-01-02T03:04:05Z' }));
}

/** Conversations are snoozed, closed, opened by a message, and wake up. */
async function statuses({ api }: Furnished): Promise<void> {
  const message = await ok(received(api, { contact: { name: 'Sleepy' } }));
  const path = `conversations/${message.conversation_id}`;
  await ok(api.patch(path, { status: 'closed' }));
  await ok(received(api, { conversation_id: message.conversation_id }));
  const soon = new Date(performance.timeOrigin + performance.now() + 2_000).toISOString();
  await ok(api.patch(path, { status: 'snoozed', snoozed_until: soon }));
  await until(async () => (await ok(api.get(path))).status === 'open');
}

async function threads(workspace: Furnished, channel: Json): Promise<void> {
  const { api } = workspace;
  const post = (raw: Buffer<ArrayBuffer>): Promise<Json> => ok(postMail(channel, raw, api.url));
  const from = `${unique('grace')}@navy.example`;
  const [first, middle, last] = [newMessageId(), newMessageId(), newMessageId()];
  const opened = await post(rawMail({ from, id: first, date: '01 Jan 2026 12:00:00 +0000' }));
  const later = await post(mailWithFile({ from, id: last, inReplyTo: middle }));
  for (const message of [opened, later]) await ok(api.post(draftsOf(message), { body_html: 'Saved' }));
  await ok(api.post(`conversations/${later.conversation_id}/comments`, { body: 'Whose is it?' }));
  await ok(api.post(`conversations/${opened.conversation_id}/comments`, { body: 'Hers' }));
  const between = { from, inReplyTo: first, date: '02 Jan 2026 12:00:00 +0000' };
  await post(rawMail({ ...between, id: middle }));
  const { data } = await ok(api.get(draftsOf(later)));
  for (const { response_id } of data) await ok(api.delete(`${draftsOf(later)}/${response_id}`));
  await post(rawMail({ from, references: [first, middle, last].join(' ') }));
  await api.get(`conversations/${later.conversation_id}`);
  await post(rawMail({ from, inReplyTo: first, headers: ['Auto-Submitted: auto-replied'] }));
  await post(rawMail({ from, headers: ['Auto-Submitted: auto-replied'] }));
  const form = { name: 'Grace', email: from, message: 'In blue?', utm_source: 'spring' };
  await ok(push(workspace, pathOf(channel, 'form'), { body: form }));
}

type NextMail = (count: number) => Promise<{ messageId: string | undefined }>;

async function drafts(workspace: Furnished, channel: Json, sent: NextMail): Promise<void> {
  const { api } = workspace;
  const message = await receivedMail(workspace);
  const saved = await ok(
    api.post(draftsOf(message), { body_html: '<a href="https://acme.example/">Blue</a>' }),
  );
  await ok(api.post(draftsOf(message), { body_html: '<a href="https://acme.example/blue">Blue</a>' }));
  await ok(api.post(`${draftsOf(saved)}/${saved.response_id}/send`));
  const { tracked_links, ...reply } = await promotedMessage(workspace, saved);
  await api.get(`/l/${tracked_links[0].link_id}`);
  await messagesOf(workspace, message);
  const { messageId } = await sent(1);
  const bounce = bounceOf(messageId!, reply.recipient_email ?? 'grace@navy.example', { id: newMessageId() });
  for (let nr = 0; nr < 2; nr++) await ok(postMail(channel, bounce, api.url));

  const { conversation } = await openedBy(workspace, await ok(api.post('message-drafts', firstMessage())));
  await promotedMessage(workspace, await ok(api.post(draftsOf(conversation), autosend())));
  const { file_id } = await ok(uploaded(api));
  const withFile = firstMessage({ autosend_draft: false, file_ids: [file_id] });
  const deleted = await ok(api.post('message-drafts', withFile));
  await api.get(`files/${file_id}`);
  await ok(api.delete(`message-drafts/${deleted.draft_id}`));

  const twilio = await startTwilio();
  await textsBy(workspace, twilio.url);
  await openedBy(workspace, await ok(api.post('message-drafts', firstMessage({ modality: 'text' }))));
  await twilio.close();
}

async function recipientRefusedForNow(workspace: Furnished, { mails, respond }: TestSmtp): Promise<void> {
  const later = 'later@navy.example';
  let isKnown = false;
  respond.rcptTo = (address) => {
    if (address !== later || isKnown) return undefined;
    isKnown = true;
    return { code: 451, text: 'greylisted' };
  };
  const message = await receivedMail(workspace);
  await ok(workspace.api.post(draftsOf(message), { ...autosend(), cc_emails: [later] }));
  await until(() => mails.some(({ to }) => to.includes(later)));
}

async function notices({ api, admin, organizationId }: Furnished): Promise<void> {
  await ok(admin.patch(`organizations/${organizationId}`, { notification_emails: ['team@acme.example'] }));
  await ok(api.post('message-drafts', firstMessage({ autosend_draft: false, add_notification: true })));
  await ok(admin.patch(`organizations/${organizationId}`, { notification_emails: [] }));
}

/** Nobody listens where these are to go. */
async function undeliverable(workspace: Furnished): Promise<void> {
  const { api, admin } = workspace;
  await emailChannel(workspace, 1);
  const response = await ok(api.post(draftsOf(await receivedMail(workspace)), autosend()));
  const body_html = '<a href="https://acme.example/catalogue">Our catalogue</a>';
  const first = await ok(api.post('message-drafts', firstMessage({ body_html })));
  await draftWith(workspace, response, 'failed');
  await messageDraftWith(workspace, first, 'failed');
  await ok(admin.post(`deliveries/${first.draft_id}/retry`));
}

async function webhooks({ api, adminApi, ids }: Furnished): Promise<void> {
  const { webhook_id } = await ok(adminApi.post('webhooks', { url: 'http://127.0.0.1:1/hook' }));
  await ok(api.post('tasks', { title: 'To be told' }));
  const deliveries = async (): Promise<Json[]> =>
    (await ok(adminApi.get(`webhooks/${webhook_id}/deliveries`))).data;
  await until(async () => (await deliveries()).some(({ attempts }) => attempts > 0));
  await ok(adminApi.post(`webhooks/${webhook_id}/test`));
  for (const paused of [true, false]) await ok(adminApi.patch(`webhooks/${webhook_id}`, { paused }));
  await ok(adminApi.post(`webhooks/${ids['webhook_id']}/deliveries/${ids['delivery_id']}/redeliver`));
  await ok(adminApi.delete(`webhooks/${webhook_id}`));
}

async function commandLine({ organizationId }: Furnished, env: Record<string, string>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'parley-busy-'));
  const file = join(dir, 'contacts.csv');
  writeFileSync(file, 'name,email,phone_number\nGrace,grace@navy.example,\nNameless,,\n');
  for (const args of [['import', 'contacts', file, '--organization', organizationId], ['doctor']])
    await cli(args, { env });
  rmSync(dir, { recursive: true });
}
