import { type Json, ok, unique } from '../clients/client.js';
import { expectProblem } from '../clients/expectations.js';
import { draftsOf } from './mail.js';
import { type Furnished, received } from './records.js';

/** What other systems keep with records, and how records end: each kind is made by external id, changed, deleted and merged. */
export async function endings(workspace: Furnished): Promise<void> {
  await byExternalId(workspace);
  await deleted(workspace);
  await merged(workspace);
}

async function byExternalId({ api, ids }: Furnished): Promise<void> {
  const { status_id, company_id } = ids;
  for (const [path, key, body] of [
    ['contacts', 'contact_id', { name: 'Kay', company_id }],
    ['companies', 'company_id', { name: 'Eniac' }],
    ['tasks', 'task_id', { title: 'Write' }],
    ['sales', 'sale_id', { status_id, company_id, name: 'Renewal', expected_close_on: '2026-03-31' }],
  ] as const) {
    const address = `${path}/by-external-id/${unique('crm')}`;
    await ok(api.put(address, body));
    const record = await ok(api.put(address, { metadata: { region: 'east' } }));
    if (path !== 'sales') await ok(api.post(`${path}/batch`, { items: [body, body] }));
    await ok(api.delete(`${path}/${record[key]}`));
  }
}

/** A contact, their company, and a sale and tasks of both. */
async function party({ api, ids }: Furnished): Promise<Json> {
  const { company_id } = await ok(api.post('companies', { name: 'Univac' }));
  const body = { name: 'Jean', email: `${unique('jean')}@univac.example`, company_id };
  const { contact_id } = await ok(api.post('contacts', body));
  const associated_contacts = [{ contact_id }, { contact_id: ids['contact_id'] }];
  const { status_id } = ids;
  const { sale_id } = await ok(api.post('sales', { status_id, company_id, associated_contacts }));
  for (const link of [{ company_id }, { contact_id }, { sale_id }])
    await ok(api.post('tasks', { title: 'Call', ...link }));
  for (const path of [`companies/${company_id}`, `contacts/${contact_id}`, `sales/${sale_id}`])
    await ok(api.post(`${path}/comments`, { body: 'Whose is it?' }));
  return { company_id, contact_id, sale_id };
}

async function deleted(workspace: Furnished): Promise<void> {
  const { company_id, contact_id, sale_id } = await party(workspace);
  for (const path of [`companies/${company_id}`, `contacts/${contact_id}`, `sales/${sale_id}`])
    await ok(workspace.api.delete(path));
}

async function merged(workspace: Furnished): Promise<void> {
  const { api } = workspace;
  const [one, other] = [await party(workspace), await party(workspace)];
  const conversations: Json[] = [];
  for (const { contact_id, sale_id } of [one, other]) {
    const message = await ok(received(api, { contact: { contact_id } }));
    const { conversation_id } = message;
    await ok(api.patch(`sales/${sale_id}`, { conversation_ids: [conversation_id] }));
    await ok(api.post(`conversations/${conversation_id}/comments`, { body: 'Whose is it?' }));
    conversations.push(message);
  }
  await ok(api.post(draftsOf(conversations[1]), { body_html: 'Saved' }));
  const merge = async (path: string, key: string, into: Json, from: Json): Promise<void> => {
    await ok(api.post(`${path}/${into[key]}/merge`, { [`from_${key}`]: from[key] }));
    expectProblem(await api.get(`${path}/${from[key]}`), 404, 'merged');
    const back = { [`from_${key}`]: into[key] };
    expectProblem(await api.post(`${path}/${from[key]}/merge`, back), 404, 'merged');
  };
  await merge('companies', 'company_id', one, other);
  await merge('contacts', 'contact_id', one, other);
  await merge('conversations', 'conversation_id', conversations[0], conversations[1]);
}
