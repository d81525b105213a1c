import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import type { Versioned } from '#event-store/change.js';
import { EventStore } from '#event-store/event-store.js';
import { Problem } from '#http/problems/problem.js';
import { draft, type Draft } from './draft.js';
import { DraftLookup } from './draft-lookup.js';
import { drafts } from './drafts.projection.js';

/** Makes a queued draft of either kind saved again; one that is saved is left alone. Throws 409 for one that is being sent. */
export class UnscheduleDraft extends Command<Versioned<Draft>> {
  constructor(
    readonly context: Context,
    /** Null for a message draft. */
    readonly conversationId: string | null,
    readonly draftId: string,
  ) {
    super();
  }
}

@CommandHandler(UnscheduleDraft)
export class UnscheduleDraftHandler implements ICommandHandler<UnscheduleDraft> {
  constructor(
    private readonly store: EventStore,
    private readonly lookup: DraftLookup,
  ) {}

  async execute({ context, conversationId, draftId }: UnscheduleDraft): Promise<Versioned<Draft>> {
    const path = { organizationId: context.organizationId, conversationId, draftId };
    for (;;) {
      await this.lookup.pending(path);
      let gone = false;
      const unscheduled = await this.store.change(context, drafts, draftId, ({ state }) => {
        // It was sent or deleted since the lookup, which tells more of that.
        gone = state === null || state.message_id !== null;
        if (gone) return [];
        if (state!.delivery.status === 'sending')
          throw new Problem(409, 'draft_sending', `The draft ${draftId} is being sent right now.`);
        return draft.decide(state, { type: 'UnscheduleDraft' });
      });
      if (!gone) return unscheduled;
    }
  }
}
