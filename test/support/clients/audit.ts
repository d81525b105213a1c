import { type Json, ok, type Workspace } from './client.js';

/** The audit records of one record, oldest first. */
export async function auditOf({ api }: Workspace, record_id: string): Promise<Json[]> {
  return (await ok(api.get('audit-logs', { record_id, limit: 200 }))).data.toReversed();
}

/** The changes of a record by field, as from and to. */
export const changesOf = ({ changes }: Json): Record<string, [from: Json, to: Json]> =>
  Object.fromEntries(changes.map(({ field, from, to }: Json) => [field, [from, to]]));
