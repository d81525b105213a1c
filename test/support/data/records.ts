import {
  type Answer,
  type Json,
  newKey,
  newWorkspace,
  ok,
  unique,
  type Workspace,
  type WorkspaceOptions,
} from '../clients/client.js';
import { autosend, draftsOf, mailWithFile, newMessageId, postMail, promotedMessage } from './mail.js';
import { startSmtp } from '../stand-ins/smtp.js';
import { until } from '../until.js';

/** A workspace with one record of each kind; `ids` holds them by the names of the path parameters. */
export interface Furnished extends Workspace {
  ids: Record<string, string>;
}

export async function furnishedWorkspace(options?: WorkspaceOptions): Promise<Furnished> {
  const workspace = await newWorkspace(options);
  const { api, admin, adminApi, organizationId: organization_id, agentId: agent_id } = workspace;
  // Not the key that `api` uses, which a test may rotate or revoke.
  const { key_id } = await ok(newKey(admin, organization_id));
  for (const record of ['contacts', 'companies', 'sales'])
    await ok(adminApi.post(`custom-fields/${record}`, { label: 'Size', type: 'number', default: 1 }));
  const channel = await ok(
    adminApi.put('channels/email', {
      provider: 'smtp',
      host: '127.0.0.1',
      port: 1,
      from_address: `${unique('sales')}@acme.example`,
    }),
  );
  const { company_id } = await ok(api.post('companies', { name: 'Navy', domain: 'navy.example', agent_id }));
  const email_message_id = newMessageId();
  const contact = { name: 'Grace', email: 'grace@navy.example', phone_number: '+1 212 555 0101', company_id };
  const { contact_id } = await ok(api.post('contacts', contact));
  const { conversation_id } = await ok(
    received(api, { contact: { contact_id }, email_metadata: { email_message_id } }),
  );
  const reply = mailWithFile({ from: contact.email, inReplyTo: email_message_id });
  const { message_id, attachments } = await ok(postMail(channel, reply, api.url));
  const [{ attachment_id }] = attachments;
  const linked = await sentWithLink(workspace, channel, { conversation_id });
  const { draft_id } = await ok(
    api.post('message-drafts', { modality: 'email', subject: 'Blue', to_email: contact.email }),
  );
  const { response_id } = await ok(
    api.post(`conversations/${conversation_id}/response-drafts`, { body_html: '<p>Yes</p>' }),
  );
  const { suppression_id } = await ok(api.post('suppressions', { email: 'moved@contoso.example' }));
  const { file_id } = await ok(uploaded(api));
  const { template_id } = await ok(
    api.post('templates', { name: 'Renewal', modality: 'email', body_html: 'Dear {{contact.name}}' }),
  );
  const { data: stages } = await ok(api.get('sale-statuses'));
  const { sale_id } = await ok(
    api.post('sales', { status_id: stages[0].status_id, company_id, conversation_ids: [conversation_id] }),
  );
  // Nothing is sent there: what is done with the webhook is up to the test.
  const { webhook_id } = await ok(
    adminApi.post('webhooks', { url: 'http://127.0.0.1:1/hook', types: ['TaskCreated'] }),
  );
  await ok(adminApi.patch(`webhooks/${webhook_id}`, { paused: true }));
  const { task_id } = await ok(api.post('tasks', { title: 'Call back', agent_id, sale_id }));
  const { comment_id } = await ok(
    api.post(`conversations/${conversation_id}/comments`, { body: 'Grace asked last year' }),
  );
  const toBeSent = async (): Promise<Json[]> =>
    (await ok(adminApi.get(`webhooks/${webhook_id}/deliveries`))).data;
  await until(async () => (await toBeSent()).length > 0);
  const [{ delivery_id, event_id }] = await toBeSent();
  const { data: logged } = await ok(api.get('audit-logs', { record_id: response_id }));
  const [{ audit_log_id }] = logged;
  const { tag_id } = await ok(api.post('tags', { name: 'Regular', colour: '#1e90ff' }));
  for (const path of [
    `contacts/${contact_id}`,
    `companies/${company_id}`,
    `conversations/${conversation_id}`,
    `sales/${sale_id}`,
  ])
    await ok(api.post(`${path}/tags`, { add: [tag_id] }));
  // What may be merged into the others.
  const { company_id: from_company_id } = await ok(api.post('companies', { name: 'Army' }));
  const { contact_id: from_contact_id } = await ok(api.post('contacts', { name: 'Alan' }));
  const { conversation_id: from_conversation_id } = await ok(received(api, { contact: { name: 'Emmy' } }));
  const [{ uuid: solution_id }] = await ok(api.get('/api/v1/solutions'));
  const ids = {
    organization_id,
    agent_id,
    company_id,
    contact_id,
    conversation_id,
    from_company_id,
    from_contact_id,
    from_conversation_id,
    message_id,
    received_message_id: message_id,
    linked_message_id: linked.message_id,
    link_id: linked.tracked_links[0].link_id,
    draft_id,
    response_id,
    suppression_id,
    file_id,
    template_id,
    sale_id,
    task_id,
    tag_id,
    comment_id,
    status_id: stages[0].status_id,
    audit_log_id,
    key_id,
    channel_id: channel.channel_id,
    attachment_id,
    solution_id,
    webhook_id,
    delivery_id,
    event_id,
    modality: 'email',
    record: 'contacts',
    name: 'audit',
  };
  return { ...workspace, ids };
}

/** Answers a conversation by an e-mail with a link; gives the message. The channel leads nowhere again afterwards. */
async function sentWithLink(
  workspace: Workspace,
  { channel_id: _, modality: __, hooks: ___, ...settings }: Json,
  conversation: Json,
): Promise<Json> {
  const { api, adminApi } = workspace;
  const smtp = await startSmtp();
  await ok(adminApi.put('channels/email', { ...settings, port: smtp.port }));
  const body_html = '<a href="https://acme.example/blue">Blue</a>';
  const draft = await ok(api.post(draftsOf(conversation), autosend({ body_html })));
  const message = await promotedMessage(workspace, draft);
  await ok(adminApi.put('channels/email', settings));
  await smtp.close();
  return message;
}

/** Uploads a small text. */
export const uploaded = (
  api: Workspace['api'],
  query: Record<string, string> = { file_name: 'notes.txt' },
): Promise<Answer> =>
  api.send('POST', 'files', {
    raw: Buffer.from('Blue, please.'),
    query,
    headers: { 'content-type': 'text/plain' },
  });

/** Records a received e-mail; `body` goes on top of it. */
export const received = (api: Workspace['api'], body: object) =>
  api.post('messages', { modality: 'email', message_direction: 'received', content: 'Hello', ...body });
