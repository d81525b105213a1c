import type { StoredEvent } from '#kernel/context.js';
import type { DomainEvent } from '#kernel/decider.js';

/** What the store hands to a projection after an append: one stream's state and the events that led to it. */
export interface Change<State extends object = object, Event extends DomainEvent = DomainEvent> {
  organizationId: string;
  streamId: string;
  /** Version of the stream after `events`. */
  version: number;
  before: State | null;
  state: State | null;
  events: StoredEvent<Event>[];
}

/** A state together with the stream version it stands for; version 0 and null do not exist. */
export interface Versioned<State> {
  state: State | null;
  version: number;
}
