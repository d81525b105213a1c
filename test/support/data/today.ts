import { ok } from '../clients/client.js';
import { until } from '../until.js';
import { received } from './records.js';
import { salesWorkspace, type SalesWorkspace } from './sales.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ago = (time: number): string => new Date(Date.now() - time).toISOString();

const asMary = { name: 'Mary Somerville', email: 'mary@contoso.example' };
const asCarl = { name: 'Carl Gauss', phone_number: '+15550100' };
const asEmmy = { name: 'Emmy Noether', email: 'emmy@contoso.example' };

/**
 * Mary waits, Carl waits longer, Emmy was answered three days ago; sales in two stages, in two currencies; a task that is
 * overdue and one that is not. The figures know of all of it. Gives Emmy's conversation, too.
 */
export async function todaysWorkspace(): Promise<SalesWorkspace & { emmys: string }> {
  const workspace = await salesWorkspace();
  const { api, agentId, stages } = workspace;
  await ok(received(api, { contact: asMary, subject: 'Blue?', sent_at: ago(2 * HOUR) }));
  await ok(received(api, { contact: asCarl, modality: 'text', content: 'Prices?', sent_at: ago(5 * HOUR) }));
  const { conversation_id } = await ok(
    received(api, { contact: asEmmy, subject: 'Rings', sent_at: ago(3 * DAY) }),
  );
  const answer = { conversation_id, message_direction: 'sent', agent_id: agentId };
  await ok(received(api, { ...answer, sent_at: ago(3 * DAY - HOUR / 2) }));
  for (const [nr, name, currency, unit_price] of [
    [1, 'Chairs', 'EUR', '10.5025'],
    [1, 'Tables', 'USD', '7'],
    [2, 'Lamps', 'EUR', '1200.50'],
  ] as const) {
    const { sale_id } = await workspace.open({ name, owner_id: agentId, status_id: stages[nr].status_id });
    const products = [{ product_name: name, quantity: 1, unit_price }];
    await ok(api.put(`sales/${sale_id}/quote`, { currency, products }));
  }
  await ok(api.post('tasks', { title: 'Call Mary', due_at: ago(2 * DAY), agent_id: agentId }));
  await ok(api.post('tasks', { title: 'Call Carl', due_at: ago(-30 * DAY) }));
  const window = { start_date: ago(DAY), end_date: ago(-DAY) };
  const written = new Date().toISOString();
  await until(async () => (await ok(api.get('analytics/sales', window))).as_of > written);
  return { ...workspace, emmys: conversation_id };
}
