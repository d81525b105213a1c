import { type Json, ok, type Workspace } from './client.js';
import { received } from './records.js';
import { until } from './until.js';

/** The audit records of one record, oldest first, once the log has caught up with every change made so far. */
export async function auditOf({ api }: Workspace, id: string): Promise<Json[]> {
  const logged = async (record_id: string): Promise<Json[]> =>
    (await ok(api.get('audit-logs', { record_id, limit: 200 }))).data;
  const marker = await ok(received(api, { contact: { name: 'Marker' } }));
  await until(async () => (await logged(marker.conversation_id)).length > 0);
  return (await logged(id)).toReversed();
}

/** The changes of a record by field, as from and to. */
export const changesOf = ({ changes }: Json): Record<string, [from: Json, to: Json]> =>
  Object.fromEntries(changes.map(({ field, from, to }: Json) => [field, [from, to]]));
