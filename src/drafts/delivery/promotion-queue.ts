import { Injectable } from '@nestjs/common';
import type { Context } from '#kernel/context.js';
import { takeBatch } from '#database/batches.js';
import { MessageRecorder, type PreparedMessage } from '../../conversations/conversations.contract.js';

/** Promotions within this time share a transaction, at most `BATCH`. */
const GATHER_MS = 10;
const BATCH = 20;

interface Waiting {
  context: Context;
  promotion: PreparedMessage;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Writes the messages that drafts become. Those of an organization that wait while one is being written go together. */
@Injectable()
export class PromotionQueue {
  /** By organization; one without promotions has no entry. */
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(private readonly recorder: MessageRecorder) {}

  /** Resolves when the message and its `also` are committed. Throws what the recorder throws. */
  write(context: Context, promotion: PreparedMessage): Promise<void> {
    return new Promise((resolve, reject) => this.add({ context, promotion, resolve, reject }));
  }

  private add(one: Waiting): void {
    const { organizationId } = one.context;
    const waiting = this.waiting.get(organizationId);
    if (waiting) return void waiting.push(one);
    this.waiting.set(organizationId, [one]);
    setTimeout(() => void this.writeAll(organizationId), GATHER_MS);
  }

  private async writeAll(organizationId: string): Promise<void> {
    for (;;) {
      const waiting = this.waiting.get(organizationId)!;
      if (waiting.length === 0) break;
      const { batch, left } = takeNext(waiting);
      this.waiting.set(organizationId, left);
      await this.writeTogether(batch);
    }
    this.waiting.delete(organizationId);
  }

  /** If they cannot be written together, each is written alone: one must not keep the others from being written. */
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
