import type { StoredEvent } from '#kernel/context.js';
import type { DomainEvent } from '#kernel/decider.js';

/**
 * How events of one type are shown outside. The stored form may change (see upcast.ts) or hold what is nobody else's
 * business; this one is a promise. Raise `version` when it changes other than by an additional field.
 */
export interface PublicForm<Stored extends object = object> {
  /** What has happened, for the reader of the OpenAPI document. */
  meaning: string;
  version: number;
  /** DTO class of the public data, from which its JSON schema is made. */
  data: new () => object;
  show(data: Stored, event: StoredEvent): object;
}

/** The public form of every event type of a stream; the compiler misses none. */
export type PublicForms<Event extends DomainEvent> = {
  [Type in Event['type']]: PublicForm<Extract<Event, { type: Type }>['data']>;
};

/** The public forms of events whose types the holder does not know, as registries hold them. */
export type AnyPublicForms = Readonly<Record<string, PublicForm<never>>>;

/** A public form: the class of its data, and how it is made of the stored data. */
export const shownAs = <Stored extends object, Shown extends object>(
  data: new () => Shown,
  meaning: string,
  show: (data: Stored, event: StoredEvent) => NoInfer<Shown>,
): PublicForm<Stored> => ({ meaning, version: 1, data, show });
