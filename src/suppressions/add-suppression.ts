import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { shown } from './shown-suppression.js';
import type { Reason, Suppression } from './suppression.js';
import type { SuppressionResponse } from './suppressions.dto.js';
import { type Address, Suppressions } from './suppressions.js';

/** Suppresses an address or number; one that is suppressed already keeps its reason. */
export class AddSuppression extends Command<{ suppression: SuppressionResponse; created: boolean }> {
  constructor(
    readonly context: Context,
    readonly address: Address,
    readonly reason: Reason,
  ) {
    super();
  }
}

@CommandHandler(AddSuppression)
export class AddSuppressionHandler implements ICommandHandler<AddSuppression> {
  constructor(
    private readonly store: EventStore,
    private readonly suppressions: Suppressions,
  ) {}

  execute({
    context,
    address,
    reason,
  }: AddSuppression): Promise<{ suppression: SuppressionResponse; created: boolean }> {
    const { organizationId } = context;
    return this.store.exclusively(organizationId, [], async (tx) => {
      const { appends, known } = await this.suppressions.sorted(tx, organizationId, [address], reason);
      if (known[0]) return { suppression: shown(known[0]), created: false };
      const [change] = await this.store.appendIn(tx, context, appends);
      return { suppression: shown(change!.state as Suppression), created: true };
    });
  }
}
