import type { DomainEvent } from './decider.js';
import type { Instant } from './instant.js';

/** Who acts: an agent (a key bound to one), a key, an operator, a provider that pushed something in, or the system itself. */
export const ACTOR_TYPES = ['agent', 'key', 'operator', 'provider', 'system'] as const;

export interface Actor {
  type: (typeof ACTOR_TYPES)[number];
  id: string | null;
}

export const OPERATOR: Actor = { type: 'operator', id: null };

/** The record versions that the caller allows for a change; `any` for whichever, if the record exists. */
export type ExpectedVersion = 'any' | number[];

/** What every command carries: the tenant, the actor and the ids that tie its events to the request. */
export interface Context {
  organizationId: string;
  actor: Actor;
  requestId: string | null;
  traceparent: string | null;
  /** For the record that the command changes; left out to allow any state. */
  expected?: ExpectedVersion;
}

/** The context of work that the system does on its own. */
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

/** An event without its data. */
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

/** An event as read from the store; in a union of events, `type` determines `data`. */
export type StoredEvent<Event extends DomainEvent = DomainEvent> = Event extends DomainEvent
  ? EventHead & Pick<Event, 'type' | 'data'> & { meta: EventMeta }
  : never;
