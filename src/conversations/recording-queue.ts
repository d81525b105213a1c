import { Injectable } from '@nestjs/common';
import { Batches, takeBatch } from '#database/batches.js';
import { isHeldUp, isRefusal } from '#database/refusal.js';
import { VersionConflict } from '#event-store/refusal.js';
import type { Recorded } from './message-recorder.js';
import { type OneToRecord, RecordMany, type RecordOptions } from './record-many.js';

/** Messages that share a transaction at most. */
const LARGEST = 32;
/** How long a batch has the way to itself, in milliseconds: two of one process would wait for each other's conversations. */
const PATIENCE_MS = 100;
/**
 * How long a batch waits for what another process has locked, in milliseconds: the two may wait for each other, and
 * PostgreSQL takes a second to see that. Then each of its messages waits alone.
 */
const LOCK_PATIENCE_MS = 50;

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
  private readonly queues = new Map<string, OrganizationQueue>();

  constructor(private readonly many: RecordMany) {}

  /** Resolves when the message is committed, or is found to have been before; throws what `MessageRecorder.plan` does. */
  record(message: OneToRecord): Promise<Recorded> {
    const { organizationId } = message.context;
    let queue = this.queues.get(organizationId);
    if (!queue) this.queues.set(organizationId, (queue = new OrganizationQueue(this.many, organizationId)));
    return queue.record(message);
  }
}

class OrganizationQueue {
  /** Halved by a batch that was held up by another, or of which most come again, to one at least; doubled by a full one that was not. */
  private width = LARGEST;
  private readonly batches = new Batches<Waiting>(
    // Those that share a key may be two posts of one message, or of one thread.
    (waiting) => takeBatch(waiting, this.width, ({ message }) => message.keys),
    (batch, makeWay) => this.write(batch, { makeWay, patienceMs: LOCK_PATIENCE_MS }),
    PATIENCE_MS,
  );

  constructor(
    private readonly many: RecordMany,
    private readonly organizationId: string,
  ) {}

  record(message: OneToRecord): Promise<Recorded> {
    return new Promise((resolve, reject) => this.batches.add({ message, resolve, reject }));
  }

  /** Never throws: each is told how it went, or waits again. Without patience it waits for whatever is locked. */
  private async write(batch: Waiting[], options: RecordOptions = {}): Promise<void> {
    const messages = batch.map(({ message }) => message);
    try {
      const outcomes = await this.many.record(this.organizationId, messages, options);
      const again = batch.filter((_, index) => outcomes[index] === 'again');
      // What comes again is planned anew, which is as much work as the first time.
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
      // Not awaited: who waits for what another process holds holds up nobody else.
      else for (const one of batch) void this.write([one]);
    }
  }
}
