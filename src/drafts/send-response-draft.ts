import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { actingAgent, type Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { type Conversation, conversations, replyModality } from '../conversations/conversations.contract.js';
import { DeliveryQueue } from './delivery.queue.js';
import type { SavedResponseDraftResponse } from './drafts.dto.js';
import { responseDrafts } from './drafts.projection.js';
import { QueueingPolicy } from './queueing.js';
import { isOnItsWay, responseDraft, type ResponseDraft } from './response-draft.js';
import { ResponseDraftLookup } from './response-draft-lookup.js';
import { shownSaved } from './save-response-draft.js';

/** Sends a saved draft after review. One that is queued already is left alone and answered the same. */
export class SendResponseDraft {
  constructor(
    readonly context: Context,
    readonly conversationId: string,
    readonly responseId: string,
  ) {}
}

@CommandHandler(SendResponseDraft)
export class SendResponseDraftHandler implements ICommandHandler<
  SendResponseDraft,
  SavedResponseDraftResponse
> {
  constructor(
    private readonly store: EventStore,
    private readonly lookup: ResponseDraftLookup,
    private readonly queueing: QueueingPolicy,
    private readonly deliveries: DeliveryQueue,
  ) {}

  async execute({
    context,
    conversationId,
    responseId,
  }: SendResponseDraft): Promise<SavedResponseDraftResponse> {
    const { organizationId } = context;
    await this.lookup.pending(organizationId, conversationId, responseId);
    const { state: draft } = await this.store.load<ResponseDraft>(
      this.store.database,
      organizationId,
      responseDrafts,
      responseId,
    );
    const { state: conversation } = await this.store.load<Conversation>(
      this.store.database,
      organizationId,
      conversations,
      conversationId,
    );
    if (draft && isOnItsWay(draft)) return shownSaved(draft);
    const agent_id = actingAgent(context) ?? draft!.agent_id ?? conversation!.agent_id;
    const queued = await this.queueing.accept(
      organizationId,
      replyModality(conversation!),
      { ...draft!, agent_id },
      draft!.email_message_id,
    );
    const { state } = await this.store.change(context, responseDrafts, responseId, (current) =>
      responseDraft.decide(current.state, { type: 'QueueResponseDraft', queued }),
    );
    // Deleted in between: answer as the lookup would have.
    if (!state) await this.lookup.pending(organizationId, conversationId, responseId);
    this.deliveries.wake(organizationId, responseId);
    return shownSaved(state!);
  }
}
