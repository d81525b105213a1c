import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { appendTo } from '#event-store/append.js';
import { requireExpected } from '#event-store/expectation.js';
import { noteDraft } from '../conversations/conversations.contract.js';
import { DraftFiles } from '../files/files.contract.js';
import { draft, type Draft } from './draft.js';
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
    private readonly files: DraftFiles,
  ) {}

  async execute({ context, conversationId, draftId }: DeleteDraft): Promise<void> {
    const { organizationId } = context;
    const path = { organizationId, conversationId, draftId };
    await this.lookup.pending(path);
    const keys = conversationId === null ? [draftId] : [conversationId, draftId];
    const isDeleted = await this.store.exclusively(organizationId, keys, async (tx) => {
      const current = await this.store.load<Draft>(tx, organizationId, drafts, draftId);
      if (current.state?.message_id !== null || current.state.conversation_id !== conversationId)
        return false;
      requireExpected(context, current);
      const events = draft.decide(current.state, { type: 'DeleteDraft' });
      const { appends } = await this.files.give(tx, organizationId, draftId, current.state.files, []);
      const noting =
        conversationId === null ? [] : await noteDraft(this.store, tx, organizationId, conversationId, false);
      const deletion = appendTo(drafts, draftId, current, events);
      await this.store.appendIn(tx, context, [deletion, ...noting, ...appends]);
      return true;
    });
    // It was sent, moved or deleted between the lookup and the lock: answer as the lookup does now.
    if (!isDeleted) await this.lookup.pending(path);
  }
}
