import type { StoredEvent } from '#kernel/context.js';
import { foundByIds } from '#database/by-ids.js';
import type { Reader } from '#database/statements/statement.js';
import { EVENT_COLUMNS } from './feed.js';
import { groupBy } from './group-by.js';
import { upcast, type Upcasters } from './upcast.js';

/** All events of some streams of one organization, stream by stream in order, in today's shape. */
export async function readStreams(
  reader: Reader,
  organizationId: string,
  ids: string[],
  upcasters: Upcasters,
): Promise<StoredEvent[][]> {
  const events = await reader.query<StoredEvent>({
    text: `SELECT found.* FROM ${foundByIds('es_event', 'stream_id', EVENT_COLUMNS)}`,
    values: [organizationId, ids],
  });
  const ordered = events.sort((one, other) => one.version - other.version);
  const streams = groupBy(ordered, (event) => event.stream_id);
  return streams.map(([, stream]) => stream.map((event) => upcast(upcasters, event)));
}
