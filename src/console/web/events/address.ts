import type { FeedEvent } from '../data/api.js';
import { changedQuery, href } from '../data/route.js';

/** The address of an event; its record is where it is found again. */
export const addressOfEvent = ({ event_id, stream }: FeedEvent): string =>
  href(['events', event_id], changedQuery({ of: stream.id }));
