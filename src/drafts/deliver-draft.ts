import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CONFIG, type Config } from '#config/config.js';
import { type Context, systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { now, plusSeconds } from '#kernel/instant.js';
import { Presence } from '#database/presence.js';
import type { Versioned } from '#event-store/change.js';
import { appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import {
  type AnsweredMessage,
  conversation,
  type Conversation,
  ConversationQueries,
  conversations,
  MessageListeners,
  type RecordedMessage,
} from '../conversations/conversations.contract.js';
import { Channels, Directory } from '../workspace/workspace.contract.js';
import { composeReply, replySubject, threadOf } from './compose-reply.js';
import { DeliverDraft } from './deliver-draft.command.js';
import { backoffSeconds, type OnUncertain, type Outcome } from './delivery.js';
import { responseDrafts } from './drafts.projection.js';
import { textOf } from './html.js';
import { responseDraft, type ResponseDraft } from './response-draft.js';
import { SmtpSender } from './smtp.js';

@CommandHandler(DeliverDraft)
export class DeliverDraftHandler implements ICommandHandler<DeliverDraft, void> {
  constructor(
    private readonly store: EventStore,
    private readonly conversations: ConversationQueries,
    private readonly listeners: MessageListeners,
    private readonly channels: Channels,
    private readonly directory: Directory,
    private readonly smtp: SmtpSender,
    private readonly presence: Presence,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ organizationId, draftId, goneWorker }: DeliverDraft): Promise<void> {
    const context = systemContext(organizationId);
    const claimed = await this.claim(context, draftId, goneWorker);
    if (!claimed) return;
    const answered = await this.conversations.answeredMail(organizationId, claimed.state.conversation_id);
    const outcome = await this.attempt(organizationId, claimed.state, answered);
    await this.conclude(context, claimed, outcome, answered);
  }

  /** Takes the delivery up, on record before the provider is called. Null when it is not due or somebody else has it. */
  private async claim(
    context: Context,
    draftId: string,
    gone_worker: number | null,
  ): Promise<Claimed | null> {
    const worker = await this.presence.id();
    let taken = false;
    const claimed = await this.store.change(context, responseDrafts, draftId, ({ state }) => {
      const at = now();
      const lease_until = plusSeconds(at, this.config.deliveryLeaseMs / 1000);
      const claim = {
        at,
        lease_until,
        worker,
        gone_worker,
        max_attempts: this.config.deliveryMaxAttempts,
        on_uncertain: this.onUncertain(state),
      };
      const events = responseDraft.decide(state, { type: 'StartDelivery', ...claim });
      taken = events.some(({ type }) => type === 'DeliveryStarted');
      return events;
    });
    return taken ? (claimed as Claimed) : null;
  }

  private async attempt(
    organizationId: string,
    draft: ResponseDraft,
    answered: AnsweredMessage | null,
  ): Promise<Outcome> {
    if (draft.modality !== 'email')
      return { kind: 'permanent', error: `There is no delivery by ${draft.modality} yet.` };
    const channel = await this.channels.email(organizationId);
    if (!channel) return { kind: 'permanent', error: 'The e-mail channel was removed.' };
    try {
      const sender = await this.directory.agentName(organizationId, draft.agent_id);
      const mail = await composeReply(draft, channel, answered, sender);
      return await this.smtp.send(channel, mail);
    } catch (error) {
      // Nothing has left yet: the sender itself never throws.
      return { kind: 'temporary', error: `The mail could not be made: ${(error as Error).message}` };
    }
  }

  /**
   * Writes the outcome, and with a success the message it made, in one transaction. The draft must still be at the
   * version of the claim: when the lease ran out and another worker took over, nothing is written.
   */
  private async conclude(
    context: Context,
    claimed: Claimed,
    outcome: Outcome,
    answered: AnsweredMessage | null,
  ): Promise<void> {
    const { organizationId } = context;
    const { response_id, conversation_id, delivery } = claimed.state;
    const at = now();
    const message_id = newId('msg');
    const wait = backoffSeconds(delivery.attempts, this.config.deliveryRetryBaseMs, Math.random());
    const policy = {
      max_attempts: this.config.deliveryMaxAttempts,
      next_attempt_at: plusSeconds(at, wait),
      on_uncertain: this.onUncertain(claimed.state),
    };
    const events = responseDraft.decide(claimed.state, {
      type: 'RecordOutcome',
      outcome,
      message_id,
      at,
      policy,
    });
    await this.store.exclusively(organizationId, [response_id, conversation_id], async (tx) => {
      const latest = await this.store.load<ResponseDraft>(tx, organizationId, responseDrafts, response_id);
      if (latest.version !== claimed.version) return;
      const appends = [appendTo(responseDrafts, response_id, claimed, events)];
      if (outcome.kind === 'accepted') {
        const current = await this.store.load<Conversation>(
          tx,
          organizationId,
          conversations,
          conversation_id,
        );
        const message = promoted(claimed.state, message_id, at, answered, current.state!.agent_id);
        const opening = { conversation_id, contact_id: '', company_agent_id: null };
        const recorded = conversation.decide(current.state, {
          type: 'RecordMessage',
          opening,
          message,
          folder: undefined,
        });
        appends.push(
          appendTo(conversations, conversation_id, current, recorded),
          ...(await this.listeners.appends(tx, organizationId, conversation_id, at)),
        );
      }
      await this.store.appendIn(tx, context, appends);
    });
  }

  private onUncertain(draft: ResponseDraft | null): OnUncertain {
    return draft?.modality === 'text'
      ? this.config.deliveryOnUncertainText
      : this.config.deliveryOnUncertainEmail;
  }
}

type Claimed = Versioned<ResponseDraft> & { state: ResponseDraft };

/** The message that a sent draft becomes. */
const promoted = (
  draft: ResponseDraft,
  message_id: string,
  sent_at: string,
  answered: AnsweredMessage | null,
  ownerId: string | null,
): RecordedMessage => ({
  message_id,
  agent_id: draft.agent_id ?? ownerId,
  modality: draft.modality!,
  message_direction: 'sent',
  is_form_request: false,
  subject: draft.modality === 'email' ? replySubject(answered) : null,
  content: textOf(draft.body_html),
  body_html: draft.body_html,
  call_transcript: null,
  form_request_body: null,
  sent_at,
  drafted_at: draft.created_at,
  email_metadata: {
    email_message_id: draft.email_message_id,
    ...threadOf(answered),
    cc_emails: draft.cc_emails,
    bcc_emails: draft.bcc_emails,
  },
  call_metadata: { duration: null },
  external_id: draft.email_message_id === null ? null : `email:${draft.email_message_id}`,
  is_auto_reply: false,
});
