import { Injectable } from '@nestjs/common';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { isRefusal } from '#database/refusal.js';
import type { Transaction } from '#database/statements/statement.js';
import { EventStore } from '#event-store/event-store.js';
import { mailLock } from './locks.js';
import { answeredMails } from '../message.js';
import { MessagePlanner, type Planned, type PreparedMessage, type Recorded } from './message-planner.js';

/** A message and the context that brings it. */
export interface OneToRecord extends PreparedMessage {
  context: Context;
}

/** What became of one of many messages. `again`: it depends on another of them, so it must be recorded after that one. */
export type OneOfMany = Recorded | Refused | 'again';

interface Refused {
  refused: unknown;
}

export interface RecordOptions {
  /** Milliseconds to wait for a lock before the database refuses; for ever when left out. */
  patienceMs?: number;
  /** Called when all statements, the commit included, are on their way to the database. */
  makeWay?: () => void;
}

/** Records messages of one organization in a transaction: all of them, or those that do not depend on one another. */
@Injectable()
export class MessageRecorder {
  constructor(
    private readonly store: EventStore,
    private readonly planner: MessagePlanner,
  ) {}

  /**
   * Records all, each with its `also`. No two of them may share a key. Throws when two touch the same stream all the same,
   * or a draft's message is recorded already; nothing is written then, and the caller records each alone.
   */
  recordAll(context: Context, messages: PreparedMessage[]): Promise<Recorded[]> {
    const { organizationId } = context;
    return this.store.exclusively(organizationId, keysOf(messages), async (tx) => {
      const trustsDrafts = messages.length > 1;
      const planned = await Promise.all(
        messages.map((one) => this.planner.plan(tx, organizationId, one, { trustsDrafts })),
      );
      const appends = planned.flatMap((one) => one.appends);
      if (new Set(appends.map(({ id }) => id)).size < appends.length)
        throw new Error('two of these messages touch the same record');
      if (appends.length > 0) await this.store.appendIn(tx, context, appends);
      return planned.map(({ recorded }) => recorded);
    });
  }

  /**
   * Records those that can be recorded together, with the same result as one after the other. All are planned as things are
   * before the first, so a message that touches what an earlier one touches must come `again`; the first never does. Throws
   * when the database refuses; then none is recorded.
   */
  recordIndependent(
    organizationId: string,
    messages: OneToRecord[],
    { makeWay, patienceMs }: RecordOptions = {},
  ): Promise<OneOfMany[]> {
    const work = async (tx: Transaction): Promise<OneOfMany[]> => {
      const plans = await Promise.all(
        messages.map((message) => this.planner.plan(tx, organizationId, message).catch(refused)),
      );
      const together = independent(messages, plans);
      const requests = plans.flatMap((plan, index) =>
        together[index] && 'appends' in plan && plan.appends.length > 0
          ? [{ context: messages[index]!.context, appends: plan.appends }]
          : [],
      );
      if (requests.length > 0) await this.store.appendAllIn(tx, requests);
      makeWay?.();
      return plans.map((plan, index) => {
        if (!together[index]) return 'again';
        return 'recorded' in plan ? plan.recorded : plan;
      });
    };
    return this.store.exclusively(organizationId, keysOf(messages), work, patienceMs);
  }
}

const keysOf = (messages: PreparedMessage[]): string[] => messages.flatMap(({ keys }) => keys);

/** A refusal by a rule concerns its message alone, a refusal by the database the whole transaction. */
function refused(error: unknown): Refused {
  if (isRefusal(error)) throw error;
  return { refused: error };
}

/** Which of the messages touch nothing that one before them touches. */
function independent(messages: PreparedMessage[], plans: (Planned | Refused)[]): boolean[] {
  const touched = new Set<string>();
  return plans.map((plan, index) => {
    const { uses, brings } = namesOf(messages[index]!, plan);
    const isFree = !uses.some((name) => touched.has(name));
    for (const name of brings) touched.add(name);
    return isFree;
  });
}

/**
 * The streams and keys that a message `uses`, and those that it `brings`: changes for later messages. Mails with the same
 * contact do not depend on one another, unless one makes the contact; by other channels the contact decides the
 * conversation, and so it does of automatic replies.
 */
function namesOf(
  { keys, party, message }: PreparedMessage,
  plan: Planned | Refused,
): { uses: string[]; brings: string[] } {
  const { appends, contactId } = 'appends' in plan ? plan : { appends: [], contactId: null };
  // All mails that it names, also those beyond the ones it locks.
  const named = answeredMails(message.email_metadata).map(mailLock);
  const isThreaded = message.modality === 'email' && !message.is_auto_reply;
  const talk = contactId === null || isThreaded ? [] : [`talk:${contactId}`];
  const uses = [...appends.map(({ id }) => id), ...keys, ...named, ...talk];
  const makesContact = appends.some(({ id }) => isId('contact', id));
  return { uses, brings: makesContact ? uses : uses.filter((name) => !party.keys.includes(name)) };
}
