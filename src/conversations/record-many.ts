import { Injectable } from '@nestjs/common';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { EventStore } from '#event-store/event-store.js';
import { answeredMails } from './message.js';
import { AutoReplyLoop } from './placing.js';
import { type Planned, type PreparedMessage, type Recorded, RecordMessageHandler } from './record-message.js';

/** What became of one of many: recorded, refused, or to come again because it needs what another of them brings. */
export type OneOfMany = Recorded | 'auto_reply_loop' | 'again';

/** Records messages that are there all at once, many to a transaction, and as if they had come one after the other. */
@Injectable()
export class RecordMany {
  constructor(
    private readonly store: EventStore,
    private readonly recorder: RecordMessageHandler,
  ) {}

  /**
   * Records what can be recorded together. All are looked at as things are before the first of them, so whatever touches
   * what one before it touches is left for another time; the first never is.
   */
  record(context: Context, messages: PreparedMessage[]): Promise<OneOfMany[]> {
    const { organizationId } = context;
    const keys = messages.flatMap((message) => message.keys);
    return this.store.exclusively(organizationId, keys, async (tx) => {
      const plans = await Promise.all(
        messages.map((message) =>
          this.recorder.plan(tx, organizationId, { ...message, also: () => [] }, false).catch(refused),
        ),
      );
      const touched = new Set<string>();
      const together = plans.map((plan, index) => {
        const { uses, brings } = namesOf(messages[index]!, plan);
        const isFree = !uses.some((name) => touched.has(name));
        for (const name of brings) touched.add(name);
        return isFree;
      });
      const appends = plans.flatMap((plan, index) => (together[index] && plan ? plan.appends : []));
      if (appends.length > 0) await this.store.appendIn(tx, context, appends);
      return plans.map((plan, index) => {
        if (!together[index]) return 'again';
        return plan ? plan.recorded : 'auto_reply_loop';
      });
    });
  }
}

function refused(error: unknown): null {
  if (error instanceof AutoReplyLoop) return null;
  throw error;
}

/**
 * The streams and keys on which a message depends, and those of them that it changes for others. Whom it was exchanged with
 * is the same to all of them, unless it makes that contact.
 */
function namesOf(
  { keys, party, message }: PreparedMessage,
  plan: Planned | null,
): { uses: string[]; brings: string[] } {
  const appends = plan?.appends ?? [];
  // All mails that it names: more than it is locked by.
  const named = answeredMails(message.email_metadata).map((key) => `mail:${key}`);
  const uses = [...appends.map(({ id }) => id), ...keys, ...named];
  const makesContact = appends.some(({ id }) => isId('contact', id));
  return { uses, brings: makesContact ? uses : uses.filter((name) => !party.keys.includes(name)) };
}
