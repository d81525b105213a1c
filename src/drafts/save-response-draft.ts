import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { actingAgent, type Context } from '#kernel/context.js';
import { isId, newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import type { Transaction } from '#database/statement.js';
import type { Change, Versioned } from '#event-store/change.js';
import { appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { requireExpected } from '#event-store/expectation.js';
import {
  type Conversation,
  ConversationQueries,
  conversations,
} from '../conversations/conversations.contract.js';
import { CrmQueries } from '../crm/crm.contract.js';
import { DeliveryQueue } from './delivery.queue.js';
import { draft, type Draft, type DraftContent } from './draft.js';
import type { SavedResponseDraftResponse, SaveResponseDraftBody } from './drafts.dto.js';
import { drafts } from './drafts.projection.js';
import { DraftQueries } from './drafts.queries.js';
import { sanitizeHtml } from './html.js';
import { QueueingPolicy, wantsAutosend } from './queueing.js';
import { ReviewRequests } from './review-requests.js';
import { savedResponse } from './shown-draft.js';

/** Saves the reply to a conversation, replacing the pending one, and queues it with `autosend_draft`. */
export class SaveResponseDraft {
  constructor(
    readonly context: Context,
    readonly conversationId: string,
    readonly body: SaveResponseDraftBody,
  ) {}
}

export interface SavedResponseDraft {
  draft: SavedResponseDraftResponse;
  created: boolean;
}

@CommandHandler(SaveResponseDraft)
export class SaveResponseDraftHandler implements ICommandHandler<SaveResponseDraft, SavedResponseDraft> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: DraftQueries,
    private readonly conversations: ConversationQueries,
    private readonly crm: CrmQueries,
    private readonly queueing: QueueingPolicy,
    private readonly deliveries: DeliveryQueue,
    private readonly reviews: ReviewRequests,
  ) {}

  async execute({ context, conversationId, body }: SaveResponseDraft): Promise<SavedResponseDraft> {
    const { organizationId } = context;
    const created_at = now();
    const autosend = wantsAutosend(body);
    const conversation = await this.conversation(organizationId, conversationId);
    const content = await this.contentOf(context, conversation, body);
    const queued = autosend
      ? await this.queueing.accept(
          organizationId,
          await this.queueing.modalityOfReply(organizationId, conversation),
          { kind: 'response', ...content },
        )
      : null;

    const review = await this.reviews.prepare(organizationId, content, queued);

    const saved = await this.store.exclusively(organizationId, [`reply:${conversationId}`], async (tx) => {
      const pending = await this.lockedPending(tx, organizationId, conversationId);
      // With a pending reply it stays. Without one it may have been merged into another before we had the lock.
      if (!pending.state) await this.conversation(organizationId, conversationId, tx);
      requireExpected(context, pending);
      const draft_id = pending.state?.draft_id ?? newId('response');
      const events = draft.decide(pending.state, {
        type: 'DraftResponse',
        draft_id,
        conversation_id: conversationId,
        created_at,
        ...content,
        queued,
      });
      const [change] = await this.store.appendIn(tx, context, [
        appendTo(drafts, draft_id, pending, events),
        ...review({
          draft_id,
          conversation_id: conversationId,
          draft_version: pending.version + events.length,
        }),
      ]);
      return { ...(change as Change<Draft>), created: pending.state === null };
    });
    if (autosend) this.deliveries.wake(organizationId);
    return { draft: savedResponse(saved), created: saved.created };
  }

  private async conversation(
    organizationId: string,
    id: string,
    reader: Pick<Transaction, 'query'> = this.store.database,
  ): Promise<Conversation> {
    const { state } = isId('conv', id)
      ? await this.store.load<Conversation>(reader, organizationId, conversations, id)
      : NEW;
    if (!state) throw await this.conversations.missing(organizationId, id);
    return state;
  }

  private async contentOf(
    context: Context,
    conversation: Conversation,
    body: SaveResponseDraftBody,
  ): Promise<DraftContent> {
    const contact = await this.crm.contact(context.organizationId, conversation.contact_id);
    return {
      subject: null,
      body_html: sanitizeHtml(body.body_html),
      cc_emails: body.cc_emails ?? [],
      bcc_emails: body.bcc_emails ?? [],
      recipient_name: contact?.name || null,
      recipient_email: contact?.email || null,
      recipient_phone_number: contact?.phone_number || null,
      agent_id: actingAgent(context) ?? conversation.agent_id,
      add_notification: body.add_notification ?? true,
    };
  }

  /** The pending draft under its stream's lock: a delivery that ends at this moment is waited for, and then it is none. */
  private async lockedPending(
    tx: Transaction,
    organizationId: string,
    conversationId: string,
  ): Promise<Versioned<Draft>> {
    const id = await this.queries.pendingResponse(tx, organizationId, conversationId);
    if (id === null) return NEW;
    this.store.lock(tx, organizationId, [id]);
    const locked = await this.store.load<Draft>(tx, organizationId, drafts, id);
    return locked.state?.message_id === null ? locked : NEW;
  }
}
