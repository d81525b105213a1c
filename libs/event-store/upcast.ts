import type { StoredEvent } from '#kernel/context.js';

/** Turns the data of one stored schema version of an event type into the next version's. Pure. */
export type Upcaster = (data: object) => object;

/** Upcasters by event type; the entry at index 0 turns version 1 into version 2, and so on. */
export type Upcasters = Readonly<Record<string, readonly Upcaster[]>>;

/** The schema version of new events of this type. */
export const currentSchemaVersion = (upcasters: Upcasters, type: string): number =>
  (upcasters[type]?.length ?? 0) + 1;

/** Converts an event to today's shape. Stored events are never rewritten. */
export function upcast(upcasters: Upcasters, event: StoredEvent): StoredEvent {
  const pending = upcasters[event.type]?.slice(event.schema_version - 1) ?? [];
  if (pending.length === 0) return event;
  return {
    ...event,
    data: pending.reduce((data, step) => step(data), event.data),
    schema_version: event.schema_version + pending.length,
  };
}
