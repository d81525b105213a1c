import { Injectable, Logger } from '@nestjs/common';
import { systemContext } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { traceOfStream } from '#event-store/trace-of-stream.js';
import { currentTraceparent, tracedAfter } from '#telemetry/trace.js';
import { AnsweredMails, type AnsweredMessage } from '../../conversations/conversations.contract.js';
import type { Claimed } from './claimed.js';
import { Claims } from './claims.js';
import type { Draft } from '../draft.js';
import type { Taken } from './lanes.js';
import { Outcomes } from './outcomes.js';
import { Senders } from '../providers/senders.js';

/** Delivers drafts: claims them, hands each to its sender, and has the outcome written. */
@Injectable()
export class Deliveries {
  private readonly log = new Logger('delivery');
  /** Drafts claimed by this process with an outcome that is not written yet. */
  private readonly inHand = new Set<string>();

  constructor(
    private readonly store: EventStore,
    private readonly claims: Claims,
    private readonly answeredMails: AnsweredMails,
    private readonly senders: Senders,
    private readonly outcomes: Outcomes,
  ) {}

  /** Claims at most `room` drafts of the organization and gives their attempts. Never throws. */
  async take(organizationId: string, room: number, gone: number[]): Promise<Taken> {
    try {
      const { claimed, more } = await this.claims.take(organizationId, room, gone, [...this.inHand]);
      for (const { state } of claimed) this.inHand.add(state.draft_id);
      return { work: claimed.map((one) => () => this.attempt(organizationId, one)), more };
    } catch (error) {
      this.log.warn(`nothing taken up, the sweeper will: ${String(error)}`);
      return { work: [], more: false };
    }
  }

  /** Resolves when all outcomes are written. */
  settled(): Promise<void> {
    return this.outcomes.settled();
  }

  /** Continues the trace of the request that queued the draft. */
  private attempt(organizationId: string, claimed: Claimed): Promise<boolean> {
    const { draft_id } = claimed.state;
    const attributes = { 'parley.organization_id': organizationId, 'parley.draft_id': draft_id };
    return tracedAfter(
      'job delivery',
      { kind: 'consumer', attributes },
      () => traceOfStream(this.store.database, organizationId, draft_id),
      () => this.deliver(organizationId, claimed),
    ).catch((error: unknown) => {
      this.log.warn(`${draft_id}: ${String(error)}`);
      this.inHand.delete(draft_id);
      return false;
    });
  }

  /**
   * Ends with the attempt, so that the next one need not wait until the outcome is written, unless too many outcomes wait
   * for that. Resolves to whether the provider keeps up, which it does also when it refuses a recipient.
   */
  private async deliver(organizationId: string, claimed: Claimed): Promise<boolean> {
    const { draft_id } = claimed.state;
    const answered = await this.answered(organizationId, claimed.state);
    const outcome = await this.senders.send(organizationId, claimed.state, answered, claimed.time.attempt);
    const context = { ...systemContext(organizationId), traceparent: currentTraceparent() };
    const written = this.outcomes
      .write({ context, claimed, outcome, answered })
      .catch((error: unknown) => this.log.warn(`${draft_id}: ${String(error)}`))
      .finally(() => this.inHand.delete(draft_id));
    if (this.outcomes.isBehind(organizationId)) await written;
    return outcome.kind === 'accepted' || outcome.kind === 'permanent';
  }

  /**
   * The mail that a reply answers. A reply that some recipients already have keeps answering the same mail, whatever came
   * since.
   */
  private async answered(
    organizationId: string,
    { kind, conversation_id, modality, message_id }: Draft,
  ): Promise<AnsweredMessage | null> {
    if (kind !== 'response' || modality !== 'email') return null;
    return message_id === null
      ? this.answeredMails.byReplyIn(organizationId, conversation_id!)
      : this.answeredMails.bySent(organizationId, message_id);
  }
}
