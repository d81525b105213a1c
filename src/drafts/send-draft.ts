import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { actingAgent, type Context } from '#kernel/context.js';
import type { Versioned } from '#event-store/change.js';
import { EventStore } from '#event-store/event-store.js';
import { type Conversation, conversations } from '../conversations/conversations.contract.js';
import { DeliveryQueue } from './delivery.queue.js';
import { draft, type Draft, isOnItsWay } from './draft.js';
import { DraftLookup } from './draft-lookup.js';
import { drafts } from './drafts.projection.js';
import { QueueingPolicy } from './queueing.js';

/** Sends a saved draft of either kind after review. One that is queued already is left alone and answered the same. */
export class SendDraft {
  constructor(
    readonly context: Context,
    /** Null for a message draft. */
    readonly conversationId: string | null,
    readonly draftId: string,
  ) {}
}

@CommandHandler(SendDraft)
export class SendDraftHandler implements ICommandHandler<SendDraft, Versioned<Draft>> {
  constructor(
    private readonly store: EventStore,
    private readonly lookup: DraftLookup,
    private readonly queueing: QueueingPolicy,
    private readonly deliveries: DeliveryQueue,
  ) {}

  async execute({ context, conversationId, draftId }: SendDraft): Promise<Versioned<Draft>> {
    const { organizationId } = context;
    for (;;) {
      await this.lookup.pending({ organizationId, conversationId, draftId });
      const sent = await this.queue(context, draftId);
      if (!sent) continue;
      this.deliveries.wake(organizationId);
      return sent;
    }
  }

  /** The draft on its way; null when it was changed meanwhile, since then its channel or links may be others. */
  private async queue(context: Context, draftId: string): Promise<Versioned<Draft> | null> {
    const { organizationId } = context;
    const { database } = this.store;
    const saved = await this.store.load<Draft>(database, organizationId, drafts, draftId);
    if (!saved.state) return null;
    if (isOnItsWay(saved.state)) return saved;
    const { modality, agent_id } = await this.sending(context, saved.state);
    const sendable = { ...saved.state, agent_id };
    const queued = await this.queueing.accept(organizationId, modality, sendable, saved.state);
    const sent = await this.store.change(context, drafts, draftId, ({ state, version }) =>
      version === saved.version ? draft.decide(state, { type: 'QueueDraft', queued }) : [],
    );
    return sent.state && isOnItsWay(sent.state) ? sent : null;
  }

  /** By which channel it leaves, and as whose. */
  private async sending(
    context: Context,
    saved: Draft,
  ): Promise<{ modality: string; agent_id: string | null }> {
    const agent_id = actingAgent(context) ?? saved.agent_id;
    if (saved.kind === 'message') return { modality: saved.modality!, agent_id };
    const { state } = await this.store.load<Conversation>(
      this.store.database,
      context.organizationId,
      conversations,
      saved.conversation_id!,
    );
    const modality = await this.queueing.modalityOfReply(context.organizationId, state!);
    return { modality, agent_id: agent_id ?? state!.agent_id };
  }
}
