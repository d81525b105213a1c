import { Injectable } from '@nestjs/common';
import { Batches } from '#database/batches.js';
import { isRefusal } from '#database/refusal.js';
import { VersionConflict } from '#event-store/refusal.js';
import type { Recorded } from './message-recorder.js';
import { type OneToRecord, RecordMany } from './record-many.js';

/** Messages that share a transaction at most. */
const LARGEST = 32;
/**
 * How long a batch has the way to itself, in milliseconds: two that are under way may wait for each other's conversations,
 * and PostgreSQL takes a second to see that. One that waits for another process does not hold up the others for longer.
 */
const PATIENCE_MS = 100;

interface Waiting {
  message: OneToRecord;
  resolve: (recorded: Recorded) => void;
  reject: (error: unknown) => void;
}

/**
 * Records the messages that come to one process. What comes while others of its organization are being recorded waits for
 * them and then shares a transaction, whose reads are shared, too: under load most of what a message costs is that. Nothing
 * waits for company, and nobody fails because of another: what the database refuses is recorded one by one.
 */
@Injectable()
export class RecordingQueue {
  /** By organization, so that none waits for another's messages. */
  private readonly queues = new Map<string, Batches<Waiting>>();

  constructor(private readonly many: RecordMany) {}

  /** Resolves when the message is committed, or is found to have been before; throws what `MessageRecorder.plan` does. */
  record(message: OneToRecord): Promise<Recorded> {
    return new Promise((resolve, reject) => {
      this.queueOf(message.context.organizationId).add({ message, resolve, reject });
    });
  }

  private queueOf(organizationId: string): Batches<Waiting> {
    let queue = this.queues.get(organizationId);
    if (!queue) {
      queue = new Batches(takeBatch, (batch) => this.write(organizationId, batch), PATIENCE_MS);
      this.queues.set(organizationId, queue);
    }
    return queue;
  }

  /** Never throws: each is told how it went, or waits again. */
  private async write(organizationId: string, batch: Waiting[]): Promise<void> {
    try {
      const outcomes = await this.many.record(
        organizationId,
        batch.map(({ message }) => message),
      );
      outcomes.forEach((outcome, index) => {
        const one = batch[index]!;
        if (outcome === 'again') this.queueOf(organizationId).add(one);
        else if ('refused' in outcome) one.reject(outcome.refused);
        else one.resolve(outcome);
      });
    } catch (error) {
      const isUndone = isRefusal(error) || error instanceof VersionConflict;
      if (batch.length === 1 || !isUndone) for (const { reject } of batch) reject(error);
      else for (const one of batch) await this.write(organizationId, [one]);
    }
  }
}

/** The longest waiting, of those that share a key only the first: they may be two posts of one message, or of one thread. */
function takeBatch(waiting: Waiting[]): { batch: Waiting[]; left: Waiting[] } {
  const batch: Waiting[] = [];
  const left: Waiting[] = [];
  const taken = new Set<string>();
  for (const one of waiting) {
    const { keys } = one.message;
    if (batch.length === LARGEST || keys.some((key) => taken.has(key))) left.push(one);
    else batch.push(one);
    for (const key of keys) taken.add(key);
  }
  return { batch, left };
}
