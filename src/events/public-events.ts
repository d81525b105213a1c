import type { AnyPublicForms, PublicForm } from '#event-store/public-event.js';

/** The public forms of all event types, as the contexts supply them. */
export class PublicEvents {
  private readonly forms: Map<string, PublicForm<never>>;

  constructor(byContext: AnyPublicForms[]) {
    this.forms = new Map(byContext.flatMap((forms) => Object.entries(forms)));
  }

  formOf(type: string): PublicForm<never> | undefined {
    return this.forms.get(type);
  }

  all(): [type: string, form: PublicForm<never>][] {
    return [...this.forms];
  }
}
