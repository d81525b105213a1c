import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import type { Context } from '#kernel/context.js';
import { addressKey } from '#kernel/address.js';
import { plusSeconds } from '#kernel/instant.js';
import { type Append, appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import type { Transaction } from '#database/statements/statement.js';
import { VersionConflict } from '#event-store/refusal.js';
import {
  type AnsweredMessage,
  mailLock,
  messageIdKey,
  RecordBatch,
} from '../../conversations/conversations.contract.js';
import { type Address, Suppressions } from '../../suppressions/suppressions.contract.js';
import { addressesOf } from '../draft-content.js';
import { Bounces } from './bounces.js';
import { type Claimed, instantAfter } from './claimed.js';
import { type Accepted, backoffSeconds, onUncertain, type Outcome } from '../delivery.js';
import { draft, type Draft, withBounce } from '../draft.js';
import { drafts } from '../drafts.projection.js';
import { promotion } from '../promotion/message-of-draft.js';

const WRITE_PAUSE_MS = 200;

/** Of an organization, in a process: as many as are promoted together, and as many again that wait meanwhile. */
const MOST_UNWRITTEN = 40;

/** An attempt and what became of it. */
interface Attempted {
  context: Context;
  claimed: Claimed;
  outcome: Outcome;
  answered: AnsweredMessage | null;
}

/** The message that a draft became. */
type Promoted = { message_id: string; conversation_id: string };

/**
 * Writes the outcomes of attempts at the version of their claim: if the lease ran out and another worker took over, the
 * store refuses the write.
 */
@Injectable()
export class Outcomes {
  /** What is being written, by organization; one with nothing to write has no entry. */
  private readonly unwritten = new Map<string, Set<Promise<void>>>();

  constructor(
    private readonly store: EventStore,
    private readonly messages: RecordBatch,
    private readonly bounces: Bounces,
    private readonly suppressions: Suppressions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Tries until the lease ends: what the provider said must not be lost because the database is away. */
  write(attempted: Attempted): Promise<void> {
    const { organizationId } = attempted.context;
    const unwritten = this.unwritten.get(organizationId) ?? new Set();
    this.unwritten.set(organizationId, unwritten);
    const written = this.untilWritten(attempted).finally(() => {
      unwritten.delete(written);
      if (unwritten.size === 0) this.unwritten.delete(organizationId);
    });
    unwritten.add(written);
    return written;
  }

  /** Whether so much of an organization waits to be written that what is added might not be before its lease ends. */
  isBehind(organizationId: string): boolean {
    return (this.unwritten.get(organizationId)?.size ?? 0) > MOST_UNWRITTEN;
  }

  /** Resolves when nothing is left to write. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.unwritten.values()].flatMap((unwritten) => [...unwritten]));
  }

  private async untilWritten(attempted: Attempted): Promise<void> {
    for (;;)
      try {
        return await this.tryToWrite(attempted);
      } catch (error) {
        if (error instanceof VersionConflict && (await this.isTakenOver(attempted).catch(() => false)))
          return;
        if (attempted.claimed.time.lease.isOver) throw error;
        await sleep(WRITE_PAUSE_MS);
      }
  }

  private async tryToWrite(attempted: Attempted): Promise<void> {
    const { context, claimed, outcome } = attempted;
    const isMessage = claimed.state.message_id !== null;
    if (outcome.kind === 'accepted' && !isMessage) return this.promote(attempted, outcome);
    if (claimed.state.email_message_id !== null && (isMessage || outcome.kind === 'unknown'))
      return this.concludeMail(attempted, claimed.state.email_message_id);
    const conclusion = this.conclusion(attempted, null, null);
    if (goneOf(attempted).addresses.length === 0)
      return void (await this.store.append(context, [conclusion]));
    await this.store.exclusively(context.organizationId, [], async (tx) => {
      const suppressing = await this.suppressing(tx, attempted);
      await this.store.appendIn(tx, context, [conclusion, ...suppressing]);
    });
  }

  /**
   * Concludes an attempt at a mail that has left, or may have. If it bounced during the attempt, nothing was marked then,
   * so the bounce is looked for here.
   */
  private concludeMail(attempted: Attempted, emailMessageId: string): Promise<void> {
    const { context, claimed } = attempted;
    // Whoever records a report holds the same lock, so one of the two sees what the other has written.
    const key = mailLock(messageIdKey(emailMessageId));
    return this.store.exclusively(context.organizationId, [key], async (tx) => {
      const bounced = await this.bounces.failureOf(tx, context.organizationId, claimed.state);
      const suppressing = await this.suppressing(tx, attempted);
      await this.store.appendIn(tx, context, [this.conclusion(attempted, null, bounced), ...suppressing]);
    });
  }

  /** Records the message that the draft becomes, with the outcome in the same transaction. */
  private async promote(attempted: Attempted, outcome: Accepted): Promise<void> {
    const { context, claimed, answered } = attempted;
    const { organizationId } = context;
    const message = promotion(claimed.state, answered, outcome);
    await this.messages.record(context, message, async ({ message_id, conversation_id }, tx) => {
      // A bounce may come before we hear that the mail was taken, or when we never heard and send it again.
      const bounced = await this.bounces.failureOf(tx, organizationId, claimed.state);
      const conclusion = this.conclusion(attempted, { message_id, conversation_id }, bounced);
      return [conclusion, ...(await this.suppressing(tx, attempted))];
    });
  }

  /** Suppresses the recipients whom the provider refused for good because of their addresses, or because they want no more. */
  private async suppressing(tx: Transaction, attempted: Attempted): Promise<Append[]> {
    const { organizationId } = attempted.context;
    const { addresses, reason } = goneOf(attempted);
    return this.suppressions.adding(tx, organizationId, addresses, reason);
  }

  private async isTakenOver({ context, claimed }: Attempted): Promise<boolean> {
    const { draft_id } = claimed.state;
    const latest = await this.store.load<Draft>(
      this.store.database,
      context.organizationId,
      drafts,
      draft_id,
    );
    return latest.version !== claimed.version;
  }

  private conclusion(
    { claimed, outcome }: Attempted,
    promoted: Promoted | null,
    bounced: string | null,
  ): Append {
    const { draft_id, delivery } = claimed.state;
    const wait = backoffSeconds(delivery.attempts, this.config.deliveryRetryBaseMs, Math.random());
    const policy = {
      max_attempts: this.config.deliveryMaxAttempts,
      next_attempt_at: plusSeconds(instantAfter(claimed.time), wait),
      on_uncertain: onUncertain(this.config, claimed.state),
    };
    const events = draft.decide(claimed.state, { type: 'RecordOutcome', outcome, promoted, policy });
    return appendTo(drafts, draft_id, claimed, withBounce(claimed.state, events, bounced));
  }
}

/** Recipients that nothing more is to be sent to, by what the provider said; as the draft spells them. */
function goneOf({ claimed, outcome }: Attempted): {
  addresses: Address[];
  reason: 'bounced' | 'unsubscribed';
} {
  const { recipient_phone_number } = claimed.state;
  if ('unsubscribed' in outcome && recipient_phone_number !== null)
    return { addresses: [{ phone_number: recipient_phone_number }], reason: 'unsubscribed' };
  const gone = new Set('gone' in outcome ? outcome.gone!.map(addressKey) : []);
  const emails = gone.size === 0 ? [] : addressesOf(claimed.state);
  const addresses = emails.filter((email) => gone.has(addressKey(email))).map((email) => ({ email }));
  return { addresses, reason: 'bounced' };
}
