import type { StoredEvent } from '#kernel/context.js';
import { positionOf } from '#event-store/position.js';
import type { AnyPublicForms, PublicForm } from '#event-store/public-event.js';
import type { EventResponse } from './events.dto.js';

/** The public forms of all event types, as the contexts supply them. */
export class PublicEvents {
  private readonly forms: Map<string, PublicForm<never>>;

  constructor(byContext: AnyPublicForms[]) {
    this.forms = new Map(byContext.flatMap((forms) => Object.entries(forms)));
  }

  formOf(type: string): PublicForm<never> | undefined {
    return this.forms.get(type);
  }

  /** The event as the feed shows it; undefined when events of its type are not shown. */
  show(event: StoredEvent): EventResponse | undefined {
    const form = this.formOf(event.type);
    return (
      form && {
        event_id: event.event_id,
        position: positionOf(event),
        type: event.type,
        version: form.version,
        occurred_at: event.occurred_at,
        stream: { type: event.stream_type, id: event.stream_id, version: event.version },
        actor: event.meta.actor,
        request_id: event.meta.request_id,
        data: form.show(event.data as never, event),
      }
    );
  }

  all(): [type: string, form: PublicForm<never>][] {
    return [...this.forms];
  }
}
