import type { EventStore } from '#event-store/event-store.js';
import { BEGINNING, type Cursor } from '#event-store/feed.js';
import { untilReadable } from '#event-store/progress.js';
import type { PublicEvents } from './public-events.js';

/** The end of an organization's feed, behind all that was committed before the call, if that can be read yet. */
export async function presentEnd(
  store: EventStore,
  { hiddenStreams }: PublicEvents,
  organizationId: string,
): Promise<Cursor> {
  await untilReadable(store.database, organizationId, BEGINNING, hiddenStreams);
  return (await store.endOfOrganization(organizationId)) ?? BEGINNING;
}
