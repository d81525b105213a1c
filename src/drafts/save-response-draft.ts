import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { actingAgent, type Context } from '#kernel/context.js';
import { RuleViolation } from '#kernel/decider.js';
import { isId, newId } from '#kernel/id.js';
import { type Instant, now } from '#kernel/instant.js';
import type { Transaction } from '#database/statements/statement.js';
import type { Change, Versioned } from '#event-store/change.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { sanitizeHtml } from '#http/input/sanitize-html.js';
import { VersionConflict } from '#event-store/refusal.js';
import { requireExpected } from '#event-store/expectation.js';
import {
  type Conversation,
  ConversationQueries,
  conversations,
  noteDraft,
  replyLock,
} from '../conversations/conversations.contract.js';
import { DraftFiles, type FilesOfDraft, requireFit } from '../files/files.contract.js';
import { DeliveryQueue } from './delivery/delivery.queue.js';
import { sizeOfImages } from './content/inline-images.js';
import { draft, type Draft } from './draft.js';
import type { DraftContent, Queueing } from './draft-content.js';
import type { SavedResponseDraftResponse, SaveResponseDraftBody } from './drafts.dto.js';
import { drafts } from './drafts.projection.js';
import { DraftQueries } from './drafts.queries.js';
import { sendAtOf } from './send-at.js';
import { QueueingPolicy, requireMail, wantsAutosend } from './send-policy.js';
import { ReviewRequests } from './notices/review-requests.js';
import { ReplyRecipients } from './reply-recipients.js';
import { savedResponse } from './shown-draft.js';
import { Templated } from './templated.js';

/** Saves the reply to a conversation, replacing the pending one, and queues it with `autosend_draft`. */
export class SaveResponseDraft extends Command<SavedResponseDraft> {
  constructor(
    readonly context: Context,
    readonly conversationId: string,
    readonly body: SaveResponseDraftBody,
  ) {
    super();
  }
}

/** The appends that save a reply, over the pending one or as the first; it keeps its files where it is `given` none. */
type Save = (pending: Versioned<Draft>, draftId: string, given: FilesOfDraft | null) => Append[];

type Saved = Change<Draft> & { created: boolean };

export interface SavedResponseDraft {
  draft: SavedResponseDraftResponse;
  created: boolean;
}

@CommandHandler(SaveResponseDraft)
export class SaveResponseDraftHandler implements ICommandHandler<SaveResponseDraft> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: DraftQueries,
    private readonly conversations: ConversationQueries,
    private readonly recipients: ReplyRecipients,
    private readonly queueing: QueueingPolicy,
    private readonly deliveries: DeliveryQueue,
    private readonly reviews: ReviewRequests,
    private readonly files: DraftFiles,
    private readonly templated: Templated,
  ) {}

  async execute({ context, conversationId, body: asked }: SaveResponseDraft): Promise<SavedResponseDraft> {
    const { organizationId } = context;
    const created_at = now();
    const autosend = wantsAutosend(asked);
    const sendAt = sendAtOf(asked, autosend);
    const conversation = await this.conversation(organizationId, conversationId);
    const modality = await this.queueing.modalityOfReply(organizationId, conversation);
    const body = await this.templated.reply(context, asked, conversation, modality);
    const content = await this.contentOf(context, conversation, body);
    requireMail(modality, body.file_ids ?? []);
    const queued = autosend
      ? await this.accept(organizationId, modality, conversation, content, sendAt)
      : null;
    // A message of the contact that is being recorded right now must come before it or see it.
    const cancels = queued !== null && content.cancel_on_reply === true;
    const review = await this.reviews.prepare(organizationId, content, queued);
    const pictures = sizeOfImages(content.body_html);
    const save = (pending: Versioned<Draft>, draft_id: string, given: FilesOfDraft | null) => {
      requireExpected(context, pending);
      const files = given?.files ?? pending.state?.files ?? [];
      requireMail(modality, files);
      requireFit(files, pictures);
      const events = draft.decide(pending.state, {
        type: 'DraftResponse',
        draft_id,
        conversation_id: conversationId,
        created_at,
        ...content,
        files,
        queued,
      });
      const draft_version = pending.version + events.length;
      return [
        appendTo(drafts, draft_id, pending, events),
        ...(given?.appends ?? []),
        ...review({ draft_id, conversation_id: conversationId, draft_version }),
      ];
    };
    const saved =
      (cancels || body.file_ids ? null : await this.overwriteIfFirst(context, conversationId, save)) ??
      (await this.saveAlone(context, conversationId, save, body.file_ids));
    if (autosend) this.deliveries.wake(organizationId);
    return { draft: savedResponse(saved), created: saved.created };
  }

  private async accept(
    organizationId: string,
    modality: string,
    conversation: Conversation,
    content: DraftContent,
    sendAt: Instant | null,
  ): Promise<Queueing> {
    const agent_id = content.agent_id ?? conversation.agent_id;
    const draft = { kind: 'response' as const, ...content, agent_id };
    const queued = await this.queueing.accept(organizationId, modality, draft, sendAt);
    return { ...queued, heard_at: conversation.heard_at };
  }

  /** Replaces a pending reply without a lock; null when none is pending, or another request changed it at the same moment. */
  private async overwriteIfFirst(
    context: Context,
    conversationId: string,
    save: Save,
  ): Promise<Saved | null> {
    if (this.store.database.inUnitOfWork) return null;
    const pending = await this.queries.latestPending(context.organizationId, conversationId);
    if (!pending.state) return null;
    try {
      const [change] = await this.store.append(context, save(pending, pending.state.draft_id, null));
      return { ...(change as Change<Draft>), created: false };
    } catch (error) {
      if (error instanceof VersionConflict) return null;
      throw error;
    }
  }

  /** Saves the reply under a lock, so that a conversation never gets two pending replies, and under the conversation's own. */
  private saveAlone(
    context: Context,
    conversationId: string,
    save: Save,
    fileIds: string[] | undefined,
  ): Promise<Saved> {
    const { organizationId } = context;
    return this.store.exclusively(organizationId, [replyLock(conversationId), conversationId], async (tx) => {
      const pending = await this.lockedPending(tx, organizationId, conversationId);
      // A conversation with a pending reply stays. One without may have been merged before we had the lock.
      const noting = pending.state
        ? []
        : await noteDraft(this.store, tx, organizationId, conversationId, true);
      if (!pending.state && noting.length === 0)
        throw await this.conversations.missing(organizationId, conversationId);
      const draftId = pending.state?.draft_id ?? newId('response');
      const given =
        fileIds === undefined
          ? null
          : await this.files.give(tx, organizationId, draftId, pending.state?.files ?? [], fileIds);
      const appends = [...save(pending, draftId, given), ...noting];
      const [change] = await this.store.appendIn(tx, context, appends);
      return { ...(change as Change<Draft>), created: pending.state === null };
    });
  }

  private async conversation(organizationId: string, id: string): Promise<Conversation> {
    const { state } = isId('conv', id) ? await this.store.latest(organizationId, conversations, id) : NEW;
    if (!state) throw await this.conversations.missing(organizationId, id);
    return state;
  }

  /** Throws `RuleViolation` for a reply that says nothing. */
  private async contentOf(
    context: Context,
    conversation: Conversation,
    body: SaveResponseDraftBody,
  ): Promise<DraftContent> {
    const body_html = await sanitizeHtml(body.body_html ?? '');
    if (body_html === '')
      throw new RuleViolation('validation_failed', 'must hold more than scripts and comments', 'body_html');
    return {
      subject: null,
      body_html,
      cc_emails: body.cc_emails ?? [],
      bcc_emails: body.bcc_emails ?? [],
      ...(await this.recipients.of(context.organizationId, conversation)),
      agent_id: actingAgent(context),
      add_notification: body.add_notification ?? true,
      cancel_on_reply: body.cancel_on_reply ?? false,
      close_after_send: body.close_after_send ?? false,
      without_signature: body.without_signature ?? false,
    };
  }

  /** The pending draft under its stream's lock: waits for a delivery that ends at this moment, after which none is pending. */
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
