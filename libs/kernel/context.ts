import type { DomainEvent } from './decider.js';
import type { Instant } from './instant.js';

/** Who acts: an agent (a key bound to one), a key, an operator, a provider that pushed something in, or Parley itself. */
export const ACTOR_TYPES = ['agent', 'key', 'operator', 'provider', 'system'] as const;

export interface Actor {
  type: (typeof ACTOR_TYPES)[number];
  id: string | null;
}

export const OPERATOR: Actor = { type: 'operator', id: null };

/** The versions of a record that the caller takes it to be at; `any`: whatever it is, if it is there. */
export type ExpectedVersion = 'any' | number[];

/** What every command carries: the tenant, the actor and the ids that tie its events to the request. */
export interface Context {
  organizationId: string;
  actor: Actor;
  requestId: string | null;
  traceparent: string | null;
  /** Of the record that the command changes; nothing is expected when left out. */
  expected?: ExpectedVersion;
}

/** The context of work that Parley does on its own, such as a delivery. */
export const systemContext = (organizationId: string): Context => ({
  organizationId,
  actor: { type: 'system', id: null },
  requestId: null,
  traceparent: null,
});

/** The agent on whose behalf the context acts, if any. */
export const actingAgent = (context: Context): string | null =>
  context.actor.type === 'agent' ? context.actor.id : null;

/** Meta data stored with each event. */
export interface EventMeta {
  actor: Actor;
  request_id: string | null;
  traceparent: string | null;
}

/** An event without what it tells. */
export interface EventHead {
  organization_id: string;
  stream_id: string;
  stream_type: string;
  version: number;
  tx: string;
  position: string;
  event_id: string;
  type: string;
  schema_version: number;
  occurred_at: Instant;
}

/** An event as it is read back from the store; of a union, its `type` tells its `data`. */
export type StoredEvent<Event extends DomainEvent = DomainEvent> = Event extends DomainEvent
  ? EventHead & Pick<Event, 'type' | 'data'> & { meta: EventMeta }
  : never;
