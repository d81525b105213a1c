import type { StoredEvent } from '#kernel/context.js';
import { known } from '#kernel/known.js';
import { positionOf } from '#event-store/position.js';
import type { AnyPublicForms, PublicForm } from '#event-store/public-event.js';
import type { EventResponse } from './events.dto.js';

/** The public forms of all event types, as the contexts supply them. */
export class PublicEvents {
  private readonly forms: Map<string, PublicForm<never>>;

  /** `hiddenStreams`: types of streams of whose events none has a public form. */
  constructor(
    byContext: AnyPublicForms[],
    readonly hiddenStreams: readonly string[] = [],
  ) {
    this.forms = new Map(byContext.flatMap((forms) => Object.entries(forms)));
  }

  formOf(type: string): PublicForm<never> | undefined {
    return this.forms.get(type);
  }

  /** Says which of these types there are not, and which there are; null where all of them are. */
  unknownAmong(types: readonly string[]): string | null {
    const unknown = types.filter((type) => !this.forms.has(type));
    return unknown.length === 0
      ? null
      : `there is no event type ${unknown.join(', ')}; ${known(this.forms.keys())}`;
  }

  /**
   * The type under which somebody who asks for these types (null: for all) gets an event of this stored type; undefined for
   * one that is not for them. An event that holds another of a type that they ask for is shown as that.
   */
  typeFor(stored: string, asked: readonly string[] | null): string | undefined {
    const form = this.formOf(stored);
    if (!form) return undefined;
    if (!asked || asked.includes(stored)) return stored;
    return form.holds && asked.includes(form.holds.type) ? form.holds.type : undefined;
  }

  /** The stored types of the events to read for somebody who asks for these types. */
  storedTypes(asked: readonly string[]): string[] {
    return [...this.forms.keys()].filter((stored) => this.typeFor(stored, asked) !== undefined);
  }

  /** The event as the feed shows it, as its own type or as that of one it holds; undefined for a type it is not shown as. */
  show(event: StoredEvent, type = event.type): EventResponse | undefined {
    const own = this.formOf(event.type);
    const shown = type === event.type ? own : own?.holds?.type === type ? own.holds : undefined;
    if (!shown) return undefined;
    return {
      event_id: event.event_id,
      position: positionOf(event),
      type,
      version: this.formOf(type)!.version,
      occurred_at: event.occurred_at,
      stream: { type: event.stream_type, id: event.stream_id, version: event.version },
      actor: { type: event.meta.actor.type, id: event.meta.actor.id },
      request_id: event.meta.request_id,
      data: shown.show(event.data as never, event),
    };
  }

  all(): [type: string, form: PublicForm<never>][] {
    return [...this.forms];
  }
}
