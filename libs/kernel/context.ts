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
  /** The API key that was used, also where its agent is the actor; undefined where there was none. */
  keyId?: string | undefined;
  /** For the record that the command changes; left out to allow any state. */
  expected?: ExpectedVersion;
}

/** Who issues a command, whichever the organization. */
export type Author = Pick<Context, 'actor' | 'requestId' | 'traceparent' | 'keyId'>;

/** Whoever works at the command line. */
export const AT_COMMAND_LINE: Author = { actor: OPERATOR, requestId: null, traceparent: null };

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
  /** The API key that was used; not there where there was none, and in events of versions that did not keep it. */
  key_id?: string;
}

/** The API key that was used; null where there was none. Earlier events name it only where it was the actor. */
export const keyOf = ({ actor, key_id }: EventMeta): string | null =>
  key_id ?? (actor.type === 'key' ? actor.id : null);

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
