import type { StoredEvent } from '#kernel/context.js';
import type { DomainEvent } from '#kernel/decider.js';

/**
 * The public form of an event type. The stored form may change (see upcast.ts) or hold internal data; this form is a
 * promise. Raise `version` when it changes by more than an additional field.
 */
export interface PublicForm<Stored extends object = object> {
  /** What the event means, for readers of the OpenAPI document. */
  meaning: string;
  version: number;
  /** DTO class of the public data, from which its JSON schema is made. */
  data: new () => object;
  show(data: Stored, event: StoredEvent): object;
  /** An event of another type that this one holds: whoever asks for that type, and not for this one, gets it as such. */
  holds?: { type: string; show(data: Stored, event: StoredEvent): object };
}

/** The public forms of a stream's event types; the compiler checks that none is missing. */
export type PublicForms<Event extends DomainEvent> = {
  [Type in Event['type']]: PublicForm<Extract<Event, { type: Type }>['data']>;
};

/** Public forms of events of unknown types, as registries hold them. */
export type AnyPublicForms = Readonly<Record<string, PublicForm<never>>>;

/** Makes a public form: the class of its data, its meaning, and how to make it from the stored data. */
export const shownAs = <Stored extends object, Shown extends object>(
  data: new () => Shown,
  meaning: string,
  show: (data: Stored, event: StoredEvent) => NoInfer<Shown>,
  holds?: PublicForm<Stored>['holds'],
): PublicForm<Stored> => ({ meaning, version: 1, data, show, ...(holds && { holds }) });
