import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';

/** A stream of one organization as a test appends to it, behind the aggregates' back. */
export interface RawStream {
  id: string;
  type: string;
  /** Version before the append. */
  expected: number;
  events: { type: string; data: object }[];
}

/** The statement that appends these events as the system. */
export function rawAppend(organizationId: string, streams: RawStream[], append = 'es_append') {
  const occurred_at = now();
  const events = streams.flatMap((stream) =>
    stream.events.map((event, index) => ({
      stream_id: stream.id,
      stream_type: stream.type,
      version: stream.expected + index + 1,
      event_id: newId('event'),
      schema_version: 1,
      ...event,
      meta: { actor: { type: 'system', id: null }, request_id: null },
      occurred_at,
    })),
  );
  const named = streams.map(({ id, expected }) => ({ id, expected }));
  return {
    name: `raw_${append}`,
    text: `SELECT ${append}($1, $2, $3, NULL, true)`,
    values: [organizationId, JSON.stringify(named), JSON.stringify(events)],
  };
}
