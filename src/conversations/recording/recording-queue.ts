import { Injectable } from '@nestjs/common';
import { Batches, takeBatch } from '#batching/batches.js';
import { isHeldUp, isRefusal } from '#database/refusal.js';
import { VersionConflict } from '#event-store/refusal.js';
import type { Recorded } from './message-planner.js';
import { MessageRecorder, type OneToRecord, type RecordOptions } from './message-recorder.js';

/** Messages that share a transaction at most. */
const LARGEST = 32;
/** Milliseconds before another batch may begin beside one: two of one process would wait for each other's conversations. */
const PATIENCE_MS = 100;
/**
 * Milliseconds a batch waits for another process's lock. The two may wait for each other, which PostgreSQL notices only
 * after a second. After this time each message of the batch waits alone.
 */
const LOCK_PATIENCE_MS = 50;

interface Waiting {
  message: OneToRecord;
  resolve: (recorded: Recorded) => void;
  reject: (error: unknown) => void;
}

/**
 * Records the messages that come to one process. What arrives while others of its organization are being recorded waits,
 * then shares one transaction and its reads, which under load are most of a message's cost. A message never waits only for
 * company, and none fails because of another: when the database refuses a batch, each message is recorded alone.
 */
@Injectable()
export class RecordingQueue {
  /** One per organization, so that none waits for another's messages. */
  private readonly queues = new Map<string, OrganizationQueue>();

  constructor(private readonly recorder: MessageRecorder) {}

  /** Resolves when the message is committed, or was recorded before. Throws what `MessagePlanner.plan` throws. */
  record(message: OneToRecord): Promise<Recorded> {
    const { organizationId } = message.context;
    let queue = this.queues.get(organizationId);
    if (!queue)
      this.queues.set(organizationId, (queue = new OrganizationQueue(this.recorder, organizationId)));
    return queue.record(message);
  }
}

class OrganizationQueue {
  /**
   * Halved, to one at least, when a batch waited too long for a lock or most of it must come again; doubled after a full
   * batch that did neither.
   */
  private width = LARGEST;
  private readonly batches = new Batches<Waiting>(
    // Messages that share a key may be two posts of one message, or belong to one thread: never in one batch.
    (waiting) => takeBatch(waiting, this.width, ({ message }) => message.keys),
    (batch, makeWay) => this.write(batch, { makeWay, patienceMs: LOCK_PATIENCE_MS }),
    { patienceMs: PATIENCE_MS },
  );

  constructor(
    private readonly recorder: MessageRecorder,
    private readonly organizationId: string,
  ) {}

  record(message: OneToRecord): Promise<Recorded> {
    return new Promise((resolve, reject) => this.batches.add({ message, resolve, reject }));
  }

  /** Never throws: each message is told its outcome or queued again. Without `patienceMs` it waits for any lock. */
  private async write(batch: Waiting[], options: RecordOptions = {}): Promise<void> {
    const messages = batch.map(({ message }) => message);
    try {
      const outcomes = await this.recorder.recordIndependent(this.organizationId, messages, options);
      const again = batch.filter((_, index) => outcomes[index] === 'again');
      // A message that comes again is planned again, as much work as the first time.
      if (again.length > batch.length / 2) this.width = Math.max(this.width >> 1, 1);
      else if (batch.length >= this.width) this.width = Math.min(this.width * 2, LARGEST);
      this.batches.addAgain(again);
      outcomes.forEach((outcome, index) => {
        const one = batch[index]!;
        if (outcome === 'again') return;
        if ('refused' in outcome) one.reject(outcome.refused);
        else one.resolve(outcome);
      });
    } catch (error) {
      if (isHeldUp(error)) this.width = Math.max(this.width >> 1, 1);
      const isUndone = isRefusal(error) || error instanceof VersionConflict;
      const isFinal = !isUndone || (batch.length === 1 && !isHeldUp(error));
      if (isFinal) for (const { reject } of batch) reject(error);
      // Not awaited: a message that waits for another process's lock must not hold up the others.
      else for (const one of batch) void this.write([one]);
    }
  }
}
