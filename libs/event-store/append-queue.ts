import type { Context } from '#kernel/context.js';
import { hasCode } from '#kernel/error-code.js';
import { Batches, takeBatch } from '#database/batches.js';
import type { Database } from '#database/database.js';
import { isRefusal } from '#database/refusal.js';
import type { Append, PlanAppends, Request } from './append.js';
import type { Change } from './change.js';
import { refusedStreams, STREAM_HELD } from './refusal.js';

/** Requests that share a transaction at most. */
const LARGEST = 16;

interface Waiting extends Request {
  resolve: (changes: Change[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Appends of one process. What is asked for at once, or while others are being written, shares one transaction: under
 * load most of an append's cost is that of its transaction. Nobody waits or fails because of another: what cannot be
 * written with the others is written alone.
 */
export class AppendQueue {
  private readonly batches = new Batches<Waiting>(
    (waiting) => takeBatch(waiting, LARGEST, streamsOf),
    (batch, makeWay) => {
      makeWay();
      return this.write(batch);
    },
  );

  constructor(
    private readonly database: Database,
    private readonly plan: PlanAppends,
  ) {}

  /** Appends atomically; gives the changes when they are committed. */
  append(context: Context, appends: Append[]): Promise<Change[]> {
    return new Promise((resolve, reject) => {
      this.batches.add({ context, appends, resolve, reject });
    });
  }

  /** Never throws: each request is told how it went. Without `wait` what somebody else holds is left to be written alone. */
  private async write(batch: Waiting[], { wait } = { wait: false }): Promise<void> {
    try {
      const { statements, changes } = this.plan(batch, { wait });
      await this.database.atomically(statements);
      batch.forEach(({ resolve }, index) => resolve(changes[index]!));
    } catch (error) {
      const isOwn = batch.length === 1 && !hasCode(error, STREAM_HELD);
      if (isOwn || !isRefusal(error)) for (const { reject } of batch) reject(error);
      else await this.writeApart(batch, error as Error);
    }
  }

  /** Writes alone what the database has refused, or all where it does not say what; the others together again. */
  private async writeApart(batch: Waiting[], refusal: Error): Promise<void> {
    const refused = refusedStreams(refusal)?.map((stream) => nameOf(stream.organization_id, stream.id));
    const isRefused = (request: Waiting) =>
      !refused || streamsOf(request).some((name) => refused.includes(name));
    const others = batch.filter((request) => !isRefused(request));
    // Not awaited by the lane: who waits for a stream that another transaction holds holds up nobody else.
    for (const request of batch.filter(isRefused)) void this.write([request], { wait: true });
    if (others.length > 0) await this.write(others);
  }
}

const streamsOf = ({ context, appends }: Request): string[] =>
  appends.map(({ id }) => nameOf(context.organizationId, id));

const nameOf = (organizationId: string, id: string): string => `${organizationId}/${id}`;
