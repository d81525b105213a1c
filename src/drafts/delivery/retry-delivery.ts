import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { notFound } from '#http/problems/problem.js';
import { DeliveryQueue } from './delivery.queue.js';
import type { AdminDeliveryResponse } from './deliveries.dto.js';
import type { Draft } from '../draft.js';
import { DraftLookup } from '../draft-lookup.js';
import { drafts } from '../drafts.projection.js';
import { DeliveryQueries } from './deliveries.queries.js';
import { SavedDrafts } from '../saved-drafts.js';

/** An operator retries a failed or uncertain delivery. One on its way is left alone. */
export class RetryDelivery extends Command<AdminDeliveryResponse> {
  constructor(
    /** Without organization: the draft tells it. */
    readonly context: Omit<Context, 'organizationId'>,
    readonly draftId: string,
  ) {
    super();
  }
}

@CommandHandler(RetryDelivery)
export class RetryDeliveryHandler implements ICommandHandler<RetryDelivery> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: DeliveryQueries,
    private readonly lookup: DraftLookup,
    private readonly saved: SavedDrafts,
    private readonly deliveries: DeliveryQueue,
  ) {}

  async execute({ context, draftId }: RetryDelivery): Promise<AdminDeliveryResponse> {
    for (;;) {
      const delivery = await this.queries.delivery(draftId);
      if (!delivery) throw notFound('delivery', draftId);
      const { organization_id: organizationId } = delivery;
      const { state } = await this.store.load<Draft>(this.store.database, organizationId, drafts, draftId);
      // Throws for a draft sent or deleted by now. A bounced one was sent: it is not delivered again but answered anew.
      const conversationId = state?.kind === 'response' ? state.conversation_id : null;
      await this.lookup.pending({ organizationId, conversationId, draftId });
      const queued = await this.saved.queue({ ...context, organizationId }, draftId, { again: true });
      // The draft was changed meanwhile, and may be one for review now: look again.
      if (!queued) continue;
      this.deliveries.wake(organizationId);
      const now = await this.queries.delivery(draftId);
      if (now) return now;
      // Delivered or deleted already: answer with what was queued.
      const { scheduled_send_at: next_attempt_at } = queued.state!;
      return { ...delivery, status: 'queued', attempts: 0, last_error: null, next_attempt_at };
    }
  }
}
