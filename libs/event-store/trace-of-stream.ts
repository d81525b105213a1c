import type { Database } from '#database/database.js';

/** The traceparent of the latest traced request that changed the stream; null when there was none. */
export async function traceOfStream(
  database: Database,
  organizationId: string,
  streamId: string,
): Promise<string | null> {
  const [row] = await database.query<{ traceparent: string }>({
    name: 'es_trace',
    text: `SELECT meta->>'traceparent' AS traceparent FROM es_event
            WHERE organization_id = $1 AND stream_id = $2 AND meta->>'traceparent' IS NOT NULL
            ORDER BY version DESC LIMIT 1`,
    values: [organizationId, streamId],
  });
  return row?.traceparent ?? null;
}
