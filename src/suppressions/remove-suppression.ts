import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { EventStore } from '#event-store/event-store.js';
import { notFound } from '#http/problems/problem.js';
import { suppression } from './suppression.js';
import { suppressions } from './suppressions.projection.js';

/** Lets an address or number be sent to again. Throws 404 when it is not suppressed. */
export class RemoveSuppression extends Command<void> {
  constructor(
    readonly context: Context,
    readonly suppressionId: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveSuppression)
export class RemoveSuppressionHandler implements ICommandHandler<RemoveSuppression> {
  constructor(private readonly store: EventStore) {}

  async execute({ context, suppressionId }: RemoveSuppression): Promise<void> {
    if (!isId('supp', suppressionId)) throw notFound('suppression', suppressionId);
    await this.store.change(context, suppressions, suppressionId, ({ state }) => {
      if (!state) throw notFound('suppression', suppressionId);
      return suppression.decide(state, { type: 'RemoveSuppression' });
    });
  }
}
