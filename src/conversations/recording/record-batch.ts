import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Batches, takeBatch } from '#batching/batches.js';
import { Database } from '#database/database.js';
import { isHeldUp, isRefusal } from '#database/refusal.js';
import { EventStore } from '#event-store/event-store.js';
import { VersionConflict } from '#event-store/refusal.js';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { answeredMails } from '../message.js';
import { mailLock } from './locks.js';
import {
  type Addition,
  MessagePlanner,
  type Planned,
  type PreparedMessage,
  type Recorded,
} from './message-planner.js';
import type { MessageToRecord } from './message-to-record.js';

/** Records a message that happened on any channel. Every way in ends here. A known `external_id` changes nothing. */
export class RecordMessage extends Command<Recorded> {
  constructor(
    readonly context: Context,
    readonly message: MessageToRecord,
    /** What is appended with it, unless it was recorded before. */
    readonly also?: Addition,
  ) {
    super();
  }
}

/** Messages that share a transaction at most, and their keys: the whole database shares the room for locks. */
const LARGEST = 32;
const MOST_KEYS = 1_000;
/** Milliseconds before another batch may begin beside one: two of one process would wait for each other's conversations. */
const PATIENCE_MS = 100;
/**
 * Milliseconds a batch waits for another process's lock. The two may wait for each other, which PostgreSQL notices only
 * after a second. After this time each message of the batch waits alone.
 */
const LOCK_PATIENCE_MS = 50;

interface Waiting {
  message: PreparedMessage;
  /** No two messages of a batch share one of these. */
  apart: string[];
  resolve: (recorded: Recorded) => void;
  reject: (error: unknown) => void;
}

/** What became of a message in a batch. `again`: it depends on what an earlier one touches, by these names. */
export type Outcome = { recorded: Recorded } | { refused: unknown } | { again: string[] };

/**
 * Records all messages of a process: what comes in, what an import reads, and what sent drafts become. Those that come while
 * others of their organization are being recorded wait, then share a transaction and its reads, which under load are most of
 * a message's cost. None waits only for company, and none fails because of another: when the database refuses a batch, each
 * message is recorded alone.
 */
@Injectable()
export class RecordBatch {
  /** One per organization, so that none waits for another's messages. */
  private readonly batches = new Map<string, Batches<Waiting>>();

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly planner: MessagePlanner,
  ) {}

  /**
   * Resolves when the message, with what `also` appends beside it, is committed, or was recorded before. Throws what
   * `MessagePlanner` and the store throw; then nothing of it was written.
   */
  async record(context: Context, message: MessageToRecord, also?: Addition): Promise<Recorded> {
    const { organizationId } = context;
    const prepared = { ...(await this.planner.prepare(context, message)), also };
    if (this.database.inUnitOfWork) {
      const [outcome] = await this.recordInOrder(organizationId, [prepared]);
      return settled(outcome as Exclude<Outcome, { again: unknown }>);
    }
    return new Promise((resolve, reject) =>
      this.batchesOf(organizationId).add({
        message: prepared,
        apart: bindingKeys(prepared),
        resolve,
        reject,
      }),
    );
  }

  private batchesOf(organizationId: string): Batches<Waiting> {
    let batches = this.batches.get(organizationId);
    if (!batches) {
      batches = new Batches<Waiting>(
        takeNext,
        (batch) => this.write(organizationId, batch, LOCK_PATIENCE_MS),
        { patienceMs: PATIENCE_MS },
      );
      this.batches.set(organizationId, batches);
    }
    return batches;
  }

  /** Never throws: each message is told its outcome, or waits again before all others. */
  private async write(organizationId: string, batch: Waiting[], patienceMs?: number): Promise<void> {
    try {
      const messages = batch.map(({ message }) => message);
      const outcomes = await this.recordInOrder(organizationId, messages, patienceMs);
      const again = batch.flatMap((one, index) => {
        const outcome = outcomes[index]!;
        // Two that touch the same are planned in one batch only once.
        return 'again' in outcome ? [{ ...one, apart: [...one.apart, ...outcome.again] }] : [];
      });
      this.batchesOf(organizationId).addAgain(again);
      outcomes.forEach((outcome, index) => {
        const { resolve, reject } = batch[index]!;
        if ('recorded' in outcome) resolve(outcome.recorded);
        else if ('refused' in outcome) reject(outcome.refused);
      });
    } catch (error) {
      const isUndone = isRefusal(error) || error instanceof VersionConflict;
      const isFinal = !isUndone || (batch.length === 1 && !isHeldUp(error));
      if (isFinal) for (const { reject } of batch) reject(error);
      // Not awaited: a message that waits for another process's lock must not hold up the others.
      else for (const one of batch) void this.write(organizationId, [one]);
    }
  }

  /**
   * Records in one transaction those of the messages that can be recorded together, as if they had come one after the other. All
   * are planned as things are before the first, so a message that touches what an earlier one touches must come again; the
   * first never does. Throws when the database refuses; then none is recorded.
   */
  recordInOrder(
    organizationId: string,
    messages: PreparedMessage[],
    patienceMs?: number,
  ): Promise<Outcome[]> {
    const keys = messages.flatMap((message) => message.keys);
    return this.store.exclusively(
      organizationId,
      keys,
      async (tx) => {
        const plans = await Promise.all(messages.map((one) => this.planner.plan(tx, one).catch(refused)));
        const touched = new Set<string>();
        const requests: Parameters<EventStore['appendAllIn']>[1] = [];
        const outcomes = plans.map((plan, index): Outcome => {
          const message = messages[index]!;
          const { uses, brings } = namesOf(message, plan);
          const isFree = !uses.some((name) => touched.has(name));
          for (const name of brings) touched.add(name);
          if (!isFree) return { again: uses };
          if ('refused' in plan) return plan;
          if (plan.appends.length > 0) requests.push({ context: message.context, appends: plan.appends });
          return { recorded: plan.recorded };
        });
        if (requests.length > 0) await this.store.appendAllIn(tx, requests);
        return outcomes;
      },
      patienceMs,
    );
  }
}

@CommandHandler(RecordMessage)
export class RecordMessageHandler implements ICommandHandler<RecordMessage> {
  constructor(private readonly batch: RecordBatch) {}

  execute({ context, message, also }: RecordMessage): Promise<Recorded> {
    return this.batch.record(context, message, also);
  }
}

/** The next messages of which none is sure to depend on one before it. */
function takeNext(waiting: Waiting[]): { batch: Waiting[]; left: Waiting[] } {
  let keys = 0;
  return takeBatch(
    waiting,
    LARGEST,
    ({ apart }) => apart,
    (one) => {
      const isRoom = keys === 0 || keys + one.message.keys.length <= MOST_KEYS;
      keys += one.message.keys.length;
      return isRoom;
    },
  );
}

/** By other channels the contact decides the conversation, and so it does of automatic replies. */
const isThreaded = ({ modality, is_auto_reply }: MessageToRecord): boolean =>
  modality === 'email' && !is_auto_reply;

/**
 * Keys that only one message of a batch may have: two with one of them may be two posts of one message, or belong to one
 * thread. Mails of one person need not.
 */
const bindingKeys = ({ keys, party, message }: PreparedMessage): string[] =>
  isThreaded(message) ? keys.filter((key) => !party.keys.includes(key)) : keys;

function settled(outcome: { recorded: Recorded } | { refused: unknown }): Recorded {
  if ('refused' in outcome) throw outcome.refused;
  return outcome.recorded;
}

/** A refusal by a rule concerns its message alone, a refusal by the database the whole transaction. */
function refused(error: unknown): { refused: unknown } {
  if (isRefusal(error)) throw error;
  return { refused: error };
}

/**
 * The streams and keys that a message `uses`, and those that it `brings`: changes for later messages. Mails with the same
 * contact do not depend on one another, unless one makes the contact.
 */
function namesOf(
  { keys, party, message }: PreparedMessage,
  plan: Planned | { refused: unknown },
): { uses: string[]; brings: string[] } {
  const { appends, contactId } = 'appends' in plan ? plan : { appends: [], contactId: null };
  // All mails that it names, also those beyond the ones it locks.
  const named = answeredMails(message.email_metadata).map(mailLock);
  const talk = contactId === null || isThreaded(message) ? [] : [`talk:${contactId}`];
  const uses = [...appends.map(({ id }) => id), ...keys, ...named, ...talk];
  const makesContact = appends.some(({ id }) => isId('contact', id));
  return { uses, brings: makesContact ? uses : uses.filter((name) => !party.keys.includes(name)) };
}
