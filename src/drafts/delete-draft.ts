import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { draft } from './draft.js';
import { DraftLookup } from './draft-lookup.js';
import { drafts } from './drafts.projection.js';

/** Deletes a draft of either kind unless it is being sent; a queued draft is taken back. */
export class DeleteDraft extends Command<void> {
  constructor(
    readonly context: Context,
    /** Null for a message draft. */
    readonly conversationId: string | null,
    readonly draftId: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteDraft)
export class DeleteDraftHandler implements ICommandHandler<DeleteDraft> {
  constructor(
    private readonly store: EventStore,
    private readonly lookup: DraftLookup,
  ) {}

  async execute({ context, conversationId, draftId }: DeleteDraft): Promise<void> {
    const path = { organizationId: context.organizationId, conversationId, draftId };
    await this.lookup.pending(path);
    let gone = false;
    await this.store.change(context, drafts, draftId, ({ state }) => {
      gone = state === null || state.message_id !== null;
      return gone ? [] : draft.decide(state, { type: 'DeleteDraft' });
    });
    // It was sent or deleted between the lookup and the lock: answer as the lookup does now.
    if (gone) await this.lookup.pending(path);
  }
}
