import { Injectable } from '@nestjs/common';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { isRefusal } from '#database/refusal.js';
import type { Transaction } from '#database/statement.js';
import { EventStore } from '#event-store/event-store.js';
import { answeredMails } from './message.js';
import { MessageRecorder, type Planned, type PreparedMessage, type Recorded } from './message-recorder.js';

/** A message with who brings it. */
export interface OneToRecord extends PreparedMessage {
  context: Context;
}

/** What became of one of many: recorded, refused, or to come again because it needs what another of them brings. */
export type OneOfMany = Recorded | Refused | 'again';

interface Refused {
  refused: unknown;
}

export interface RecordOptions {
  /** How long a lock is waited for, in milliseconds, before the database refuses; without it, for ever. */
  patienceMs?: number;
  /** Called when all that is to be written is on its way to the database, the commit included. */
  makeWay?: () => void;
}

/** Records messages that are there all at once, many to a transaction, and as if they had come one after the other. */
@Injectable()
export class RecordMany {
  constructor(
    private readonly store: EventStore,
    private readonly recorder: MessageRecorder,
  ) {}

  /**
   * Records what can be recorded together of these messages of one organization. All are looked at as things are before the
   * first of them, so whatever touches what one before it touches is left for another time; the first never is. Throws when
   * the database refuses; then none is recorded.
   */
  record(
    organizationId: string,
    messages: OneToRecord[],
    { makeWay, patienceMs }: RecordOptions = {},
  ): Promise<OneOfMany[]> {
    const keys = messages.flatMap((message) => message.keys);
    const work = async (tx: Transaction): Promise<OneOfMany[]> => {
      const plans = await Promise.all(
        messages.map((message) => this.recorder.plan(tx, organizationId, message).catch(refused)),
      );
      const touched = new Set<string>();
      const together = plans.map((plan, index) => {
        const { uses, brings } = namesOf(messages[index]!, plan);
        const isFree = !uses.some((name) => touched.has(name));
        for (const name of brings) touched.add(name);
        return isFree;
      });
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
    return this.store.exclusively(organizationId, keys, work, patienceMs);
  }
}

/** What a rule refuses concerns that message alone; what the database does, the whole transaction. */
function refused(error: unknown): Refused {
  if (isRefusal(error)) throw error;
  return { refused: error };
}

/**
 * The streams and keys on which a message depends, and those of them that it changes for others. Whom mails were exchanged
 * with is the same to all of them, unless one makes that contact; by other channels the contact tells the conversation.
 */
function namesOf(
  { keys, party, message }: PreparedMessage,
  plan: Planned | Refused,
): { uses: string[]; brings: string[] } {
  const { appends, contactId } = 'appends' in plan ? plan : { appends: [], contactId: null };
  // All mails that it names: more than it is locked by.
  const named = answeredMails(message.email_metadata).map((key) => `mail:${key}`);
  const talk = contactId === null || message.modality === 'email' ? [] : [`talk:${contactId}`];
  const uses = [...appends.map(({ id }) => id), ...keys, ...named, ...talk];
  const makesContact = appends.some(({ id }) => isId('contact', id));
  return { uses, brings: makesContact ? uses : uses.filter((name) => !party.keys.includes(name)) };
}
