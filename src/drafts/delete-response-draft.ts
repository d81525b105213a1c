import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { responseDrafts } from './drafts.projection.js';
import { responseDraft } from './response-draft.js';
import { ResponseDraftLookup } from './response-draft-lookup.js';

/** Deletes a draft that is not being sent; a queued one is taken back. */
export class DeleteResponseDraft {
  constructor(
    readonly context: Context,
    readonly conversationId: string,
    readonly responseId: string,
  ) {}
}

@CommandHandler(DeleteResponseDraft)
export class DeleteResponseDraftHandler implements ICommandHandler<DeleteResponseDraft, void> {
  constructor(
    private readonly store: EventStore,
    private readonly lookup: ResponseDraftLookup,
  ) {}

  async execute({ context, conversationId, responseId }: DeleteResponseDraft): Promise<void> {
    const { organizationId } = context;
    await this.lookup.pending(organizationId, conversationId, responseId);
    let promoted = false;
    await this.store.change(context, responseDrafts, responseId, ({ state }) => {
      promoted = state?.message_id != null;
      return promoted ? [] : responseDraft.decide(state, { type: 'DeleteResponseDraft' });
    });
    // It was sent between the lookup and the lock: answer as the lookup does now.
    if (promoted) await this.lookup.pending(organizationId, conversationId, responseId);
  }
}
