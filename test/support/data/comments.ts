import { ok } from '../clients/client.js';
import type { Furnished } from './records.js';

/** Comments on a record of each type: added with a mention, edited, and one of two deleted. */
export async function comments({ api, adminApi, ids }: Furnished): Promise<void> {
  const alan = await ok(adminApi.post('agents', { name: 'Alan', email: 'alan@acme.example' }));
  for (const [list, id] of [
    ['conversations', ids['conversation_id']],
    ['contacts', ids['contact_id']],
    ['companies', ids['company_id']],
    ['sales', ids['sale_id']],
  ]) {
    const path = `${list}/${id}/comments`;
    const mentioned_agent_ids = [alan.agent_id, ids['agent_id']];
    await ok(api.post(path, { body: 'She asked last year', mentioned_agent_ids }));
    const { comment_id } = await ok(api.post(path, { body: 'She did' }));
    await ok(api.patch(`comments/${comment_id}`, { body: 'She did not', mentioned_agent_ids }));
    await ok(api.delete(`comments/${comment_id}`));
  }
}
