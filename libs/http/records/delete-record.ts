import type { Context } from '#kernel/context.js';
import type { DomainEvent } from '#kernel/decider.js';
import { isId } from '#kernel/id.js';
import type { Aggregate } from '#event-store/aggregate.js';
import { appendTo } from '#event-store/append.js';
import type { EventStore } from '#event-store/event-store.js';
import type { RecordLinks } from '#event-store/record-links.js';
import { notFound } from '../problems/problem.js';

/**
 * Deletes a record by this event, and clears what links to it, in one transaction. Throws a 404 when there is none, and what its
 * links throw.
 */
export async function deleteRecord<State extends object, Event extends DomainEvent>(
  store: EventStore,
  links: RecordLinks,
  { context, aggregate, id }: { context: Context; aggregate: Aggregate<State, Event>; id: string },
  deleted: Event,
): Promise<void> {
  const { organizationId } = context;
  const { streamType } = aggregate;
  if (!isId(streamType, id)) throw notFound(streamType, id);
  await links.moveMany(context, { type: streamType, id }, null);
  await store.exclusively(organizationId, [id], async (tx) => {
    const current = await store.load(tx, organizationId, aggregate, id);
    if (!current.state) throw notFound(streamType, id);
    const cleared = await links.moving(tx, organizationId, { type: streamType, id }, null);
    await store.appendIn(tx, context, [appendTo(aggregate, id, current, [deleted]), ...cleared]);
  });
}
