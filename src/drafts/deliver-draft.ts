import { setTimeout as sleep } from 'node:timers/promises';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CONFIG, type Config } from '#config/config.js';
import { type Context, systemContext } from '#kernel/context.js';
import { now, plusSeconds } from '#kernel/instant.js';
import { Presence } from '#database/presence.js';
import { currentTraceparent } from '#telemetry/trace.js';
import type { Versioned } from '#event-store/change.js';
import { type Append, appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import {
  type AnsweredMessage,
  type Conversation,
  ConversationQueries,
  conversations,
  RecordMessageHandler,
} from '../conversations/conversations.contract.js';
import { DeliverDraft } from './deliver-draft.command.js';
import { backoffSeconds, type OnUncertain, type Outcome } from './delivery.js';
import { draft, type Draft } from './draft.js';
import { drafts } from './drafts.projection.js';
import { promotion } from './promotion.js';
import { Senders } from './senders.js';

const WRITE_PAUSE_MS = 200;

type Claimed = Versioned<Draft> & { state: Draft };
type Accepted = Extract<Outcome, { kind: 'accepted' }>;

@CommandHandler(DeliverDraft)
export class DeliverDraftHandler implements ICommandHandler<DeliverDraft, void> {
  constructor(
    private readonly store: EventStore,
    private readonly conversations: ConversationQueries,
    private readonly recorder: RecordMessageHandler,
    private readonly senders: Senders,
    private readonly presence: Presence,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ organizationId, draftId, goneWorker }: DeliverDraft): Promise<void> {
    const context = { ...systemContext(organizationId), traceparent: currentTraceparent() };
    const claimed = await this.claim(context, draftId, goneWorker);
    if (!claimed) return;
    const { conversation_id } = claimed.state;
    const answered =
      conversation_id === null
        ? null
        : await this.conversations.answeredMail(organizationId, conversation_id);
    const outcome = await this.senders.send(organizationId, claimed.state, answered);
    await this.written(claimed, () =>
      outcome.kind === 'accepted'
        ? this.promote(context, claimed, outcome, answered)
        : this.recordFailure(context, claimed, outcome),
    );
  }

  /** A database that is away must not make us forget what the provider has said: the write is tried until the lease ends. */
  private async written({ state: { delivery } }: Claimed, write: () => Promise<void>): Promise<void> {
    for (;;)
      try {
        return await write();
      } catch (error) {
        if (now() >= delivery.lease_until!) throw error;
        await sleep(WRITE_PAUSE_MS);
      }
  }

  /** Takes the delivery up, on record before the provider is called. Null when it is not due or somebody else has it. */
  private async claim(
    context: Context,
    draftId: string,
    gone_worker: number | null,
  ): Promise<Claimed | null> {
    const worker = await this.presence.id();
    let taken = false;
    const claimed = await this.store.change(context, drafts, draftId, ({ state }) => {
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
      const events = draft.decide(state, { type: 'StartDelivery', ...claim });
      taken = events.some(({ type }) => type === 'DeliveryStarted');
      return events;
    });
    return taken ? (claimed as Claimed) : null;
  }

  /**
   * Writes the message that the draft has become, and that it has, in one transaction. The draft must still be at the
   * version of the claim: when the lease ran out and another worker took over, nothing is written.
   */
  private async promote(
    context: Context,
    claimed: Claimed,
    outcome: Accepted,
    answered: AnsweredMessage | null,
  ): Promise<void> {
    const { draft_id } = claimed.state;
    const at = now();
    const owner = await this.ownerOf(context.organizationId, claimed.state);
    const message = promotion(claimed.state, at, answered, owner, outcome.response);
    await this.recorder.record(context, message, [draft_id], async (tx, { message_id, conversation_id }) => {
      const latest = await this.store.load<Draft>(tx, context.organizationId, drafts, draft_id);
      if (latest.version !== claimed.version) return null;
      return [this.conclusion(claimed, outcome, { message_id, conversation_id }, at)];
    });
  }

  private async recordFailure(context: Context, claimed: Claimed, outcome: Outcome): Promise<void> {
    const { organizationId } = context;
    const { draft_id } = claimed.state;
    await this.store.exclusively(organizationId, [draft_id], async (tx) => {
      const latest = await this.store.load<Draft>(tx, organizationId, drafts, draft_id);
      if (latest.version !== claimed.version) return;
      await this.store.appendIn(tx, context, [this.conclusion(claimed, outcome, null, now())]);
    });
  }

  private conclusion(
    claimed: Claimed,
    outcome: Outcome,
    promoted: { message_id: string; conversation_id: string } | null,
    at: string,
  ): Append {
    const { draft_id, delivery } = claimed.state;
    const wait = backoffSeconds(delivery.attempts, this.config.deliveryRetryBaseMs, Math.random());
    const policy = {
      max_attempts: this.config.deliveryMaxAttempts,
      next_attempt_at: plusSeconds(at, wait),
      on_uncertain: this.onUncertain(claimed.state),
    };
    const events = draft.decide(claimed.state, { type: 'RecordOutcome', outcome, promoted, at, policy });
    return appendTo(drafts, draft_id, claimed, events);
  }

  /** The agent whose message it will be when the draft names none. */
  private async ownerOf(organizationId: string, { conversation_id }: Draft): Promise<string | null> {
    if (conversation_id === null) return null;
    const { state } = await this.store.load<Conversation>(
      this.store.database,
      organizationId,
      conversations,
      conversation_id,
    );
    return state!.agent_id;
  }

  private onUncertain(state: Draft | null): OnUncertain {
    return state?.modality === 'text'
      ? this.config.deliveryOnUncertainText
      : this.config.deliveryOnUncertainEmail;
  }
}
