import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#config/config.js';
import type { Context } from '#kernel/context.js';
import { now, plusSeconds } from '#kernel/instant.js';
import type { Transaction } from '#database/statement.js';
import { fold } from '#event-store/aggregate.js';
import { type Append, appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { VersionConflict } from '#event-store/refusal.js';
import {
  type AnsweredMessage,
  BounceQueries,
  messageIdKey,
  type PreparedMessage,
  MessageRecorder,
} from '../conversations/conversations.contract.js';
import type { Claimed } from './claimed.js';
import { backoffSeconds, onUncertain, type Outcome } from './delivery.js';
import { draft, type Draft, type DraftEvent } from './draft.js';
import { drafts } from './drafts.projection.js';
import { promotion } from './promotion.js';

const WRITE_PAUSE_MS = 200;
/** Promotions that come within this time are written in one transaction, but not more than `BATCH`. */
const GATHER_MS = 10;
const BATCH = 20;

/** What became of an attempt. */
interface Attempted {
  context: Context;
  claimed: Claimed;
  outcome: Outcome;
  answered: AnsweredMessage | null;
}

/** The message that a draft becomes. */
type Promoted = { message_id: string; conversation_id: string };

interface Promotion extends PreparedMessage {
  /** What is appended to the draft with the message it becomes. */
  also: (promoted: Promoted, tx: Transaction) => Promise<Append[]>;
}

interface Waiting {
  context: Context;
  promotion: Promotion;
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * Writes what became of attempts, at the version of the claim: when the lease ran out and another worker took over, the
 * store refuses it. Promotions of an organization that wait while one is being written are written together.
 */
@Injectable()
export class Outcomes {
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly unwritten = new Set<Promise<void>>();

  constructor(
    private readonly store: EventStore,
    private readonly recorder: MessageRecorder,
    private readonly bounces: BounceQueries,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** A database that is away must not make us forget what the provider has said: it is tried until the lease ends. */
  write(attempted: Attempted): Promise<void> {
    const written = this.untilWritten(attempted).finally(() => this.unwritten.delete(written));
    this.unwritten.add(written);
    return written;
  }

  /** Resolves when nothing is left to write. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.unwritten);
  }

  private async untilWritten(attempted: Attempted): Promise<void> {
    const { delivery } = attempted.claimed.state;
    for (;;)
      try {
        return await this.tryToWrite(attempted);
      } catch (error) {
        if (error instanceof VersionConflict && (await this.isTakenOver(attempted).catch(() => false)))
          return;
        if (now() >= delivery.lease_until!) throw error;
        await sleep(WRITE_PAUSE_MS);
      }
  }

  private async tryToWrite(attempted: Attempted): Promise<void> {
    const { context, claimed, outcome } = attempted;
    if (outcome.kind === 'accepted' && claimed.state.message_id === null) {
      const promoted = await this.promotionOf(attempted);
      return new Promise((done, failed) => this.add({ context, promotion: promoted, done, failed }));
    }
    const { message_id } = claimed.state;
    if (message_id !== null) return this.concludeRest(attempted, message_id);
    await this.store.append(context, [this.conclusion(attempted, null)]);
  }

  /** Of a mail that others have: it may have come back from them during the attempt, which marked nothing then. */
  private concludeRest(attempted: Attempted, messageId: string): Promise<void> {
    const { context, claimed } = attempted;
    const { organizationId } = context;
    const { email_message_id, delivery } = claimed.state;
    // As whoever records a report holds it: either sees what the other has written.
    const key = `mail:${messageIdKey(email_message_id!)}`;
    return this.store.exclusively(organizationId, [key], async (tx) => {
      const bounced = await this.bounces.failureSince(
        tx,
        organizationId,
        messageId,
        delivery.handed_over_at!,
      );
      const conclusion = this.conclusion(attempted, null);
      await this.store.appendIn(tx, context, [
        bounced === null ? conclusion : withBounce(conclusion, bounced),
      ]);
    });
  }

  private async promotionOf({ context, claimed, outcome, answered }: Attempted): Promise<Promotion> {
    const { organizationId } = context;
    const { response } = outcome as Extract<Outcome, { kind: 'accepted' }>;
    const prepared = await this.recorder.prepare(
      organizationId,
      promotion(claimed.state, answered, response),
    );
    return {
      ...prepared,
      also: async ({ message_id, conversation_id }, tx) => {
        const conclusion = this.conclusion({ claimed, outcome }, { message_id, conversation_id });
        const bounced = await this.bouncedBefore(tx, organizationId, claimed.state);
        return [bounced === null ? conclusion : withBounce(conclusion, bounced)];
      },
    };
  }

  /** A mail may come back before we have heard that it was taken, or when we never did and send it again. */
  private async bouncedBefore(
    tx: Transaction,
    organizationId: string,
    { email_message_id }: Draft,
  ): Promise<string | null> {
    if (email_message_id === null) return null;
    return this.bounces.earlierFailure(tx, organizationId, messageIdKey(email_message_id));
  }

  private add(one: Waiting): void {
    const { organizationId } = one.context;
    const waiting = this.waiting.get(organizationId);
    if (waiting) return void waiting.push(one);
    this.waiting.set(organizationId, [one]);
    setTimeout(() => void this.promoteAll(organizationId), GATHER_MS);
  }

  private async promoteAll(organizationId: string): Promise<void> {
    for (let left = this.waiting.get(organizationId)!; left.length > 0;) {
      const batch = independent(left.splice(0, BATCH), (later) => left.unshift(...later));
      await this.promote(batch);
    }
    this.waiting.delete(organizationId);
  }

  /** One that cannot be written must not keep the others from it: then each is written by itself. */
  private async promote(batch: Waiting[]): Promise<void> {
    const { context } = batch[0]!;
    try {
      await this.recorder.recordAll(
        context,
        batch.map(({ promotion: one }) => one),
      );
      for (const { done } of batch) done();
    } catch (error) {
      if (batch.length === 1) return batch[0]!.failed(error);
      for (const one of batch) await this.promote([one]);
    }
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
    { claimed, outcome }: Pick<Attempted, 'claimed' | 'outcome'>,
    promoted: Promoted | null,
  ): Append {
    const { draft_id, delivery } = claimed.state;
    const wait = backoffSeconds(delivery.attempts, this.config.deliveryRetryBaseMs, Math.random());
    const policy = {
      max_attempts: this.config.deliveryMaxAttempts,
      next_attempt_at: plusSeconds(now(), wait),
      on_uncertain: onUncertain(this.config, claimed.state),
    };
    const events = draft.decide(claimed.state, { type: 'RecordOutcome', outcome, promoted, policy });
    return appendTo(drafts, draft_id, claimed, events);
  }
}

/** The same with the report that the mail has not arrived after it. */
function withBounce(conclusion: Append, error: string): Append {
  const state = fold(drafts, conclusion.events as DraftEvent[], conclusion.state as Draft);
  return {
    ...conclusion,
    events: [...conclusion.events, ...draft.decide(state, { type: 'RecordBounce', error })],
  };
}

/** Those of one trace that touch nothing of each other, such as a new contact; what does is for `later`. */
function independent(batch: Waiting[], later: (others: Waiting[]) => void): Waiting[] {
  const { traceparent } = batch[0]!.context;
  const taken = new Set<string>();
  const others: Waiting[] = [];
  const chosen = batch.filter((one) => {
    const { keys } = one.promotion;
    const fits = one.context.traceparent === traceparent && !keys.some((key) => taken.has(key));
    for (const key of keys) taken.add(key);
    if (!fits) others.push(one);
    return fits;
  });
  later(others);
  return chosen;
}
