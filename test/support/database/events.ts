import type { StoredEvent } from '#kernel/context.js';
import type { Database } from '#database/database.js';
import { readStreams } from '#event-store/read-streams.js';
import type { Upcasters } from '#event-store/upcast.js';

/** All events of one stream in order, none when it has not begun. */
export const eventsOf = async (
  database: Database,
  organizationId: string,
  id: string,
  upcasters: Upcasters = {},
): Promise<StoredEvent[]> => (await readStreams(database, organizationId, [id], upcasters)).flat();
