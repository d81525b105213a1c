import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import type { Versioned } from '#event-store/change.js';
import { DeliveryQueue } from './delivery/delivery.queue.js';
import type { Draft } from './draft.js';
import { DraftLookup } from './draft-lookup.js';
import type { SendDraftBody } from './drafts.dto.js';
import { SavedDrafts } from './saved-drafts.js';
import { sendAtOf } from './send-at.js';

/** Sends a saved draft of either kind after review. One that is queued already is left alone and answered the same. `send_at`: when it is to leave. */
export class SendDraft extends Command<Versioned<Draft>> {
  constructor(
    readonly context: Context,
    /** Null for a message draft. */
    readonly conversationId: string | null,
    readonly draftId: string,
    readonly body: SendDraftBody,
  ) {
    super();
  }
}

@CommandHandler(SendDraft)
export class SendDraftHandler implements ICommandHandler<SendDraft> {
  constructor(
    private readonly lookup: DraftLookup,
    private readonly saved: SavedDrafts,
    private readonly deliveries: DeliveryQueue,
  ) {}

  async execute({ context, conversationId, draftId, body }: SendDraft): Promise<Versioned<Draft>> {
    const { organizationId } = context;
    const at = sendAtOf(body, true);
    for (;;) {
      await this.lookup.pending({ organizationId, conversationId, draftId });
      const sent = await this.saved.queue(context, draftId, { at });
      if (!sent) continue;
      this.deliveries.wake(organizationId);
      return sent;
    }
  }
}
