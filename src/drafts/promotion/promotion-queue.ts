import { AsyncResource } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { Context } from '#kernel/context.js';
import { Batches, takeBatch } from '#batching/batches.js';
import { MessageRecorder, type PreparedMessage } from '../../conversations/conversations.contract.js';

/** Promotions within this time share a transaction, at most `BATCH`. */
const GATHER_MS = 10;
const BATCH = 20;

interface Waiting {
  context: Context;
  promotion: PreparedMessage;
  /** The async context of its delivery, whose trace its statements belong to. */
  origin: AsyncResource;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Writes the messages that drafts become. Those of an organization that wait while others are being written go together,
 * never beside them: two such transactions can wait for each other's locks.
 */
@Injectable()
export class PromotionQueue {
  private readonly batches = new Map<string, Batches<Waiting>>();

  constructor(private readonly recorder: MessageRecorder) {}

  /** Resolves when the message and its `also` are committed. Throws what the recorder throws. */
  write(context: Context, promotion: PreparedMessage): Promise<void> {
    const origin = new AsyncResource('Promotion');
    return new Promise((resolve, reject) =>
      this.batchesOf(context.organizationId).add({ context, promotion, origin, resolve, reject }),
    );
  }

  private batchesOf(organizationId: string): Batches<Waiting> {
    let batches = this.batches.get(organizationId);
    if (!batches) {
      batches = new Batches(
        takeNext,
        (batch) => batch[0]!.origin.runInAsyncScope(() => this.writeTogether(batch)),
        { gatherMs: GATHER_MS, lanes: 1 },
      );
      this.batches.set(organizationId, batches);
    }
    return batches;
  }

  /** Never throws. If they cannot be written together, each is written alone: one must not keep back the others. */
  private async writeTogether(batch: Waiting[]): Promise<void> {
    const { context } = batch[0]!;
    try {
      await this.recorder.recordAll(
        context,
        batch.map(({ promotion }) => promotion),
      );
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length === 1) return batch[0]!.reject(error);
      for (const one of batch) await this.writeTogether([one]);
    }
  }
}

/** The next promotions of one trace that share no key, such as a new contact. */
function takeNext(waiting: Waiting[]): { batch: Waiting[]; left: Waiting[] } {
  const { traceparent } = waiting[0]!.context;
  return takeBatch(
    waiting,
    BATCH,
    ({ promotion }) => promotion.keys,
    ({ context }) => context.traceparent === traceparent,
  );
}
