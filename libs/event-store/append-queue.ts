import type { Context } from '#kernel/context.js';
import { hasCode } from '#kernel/error-code.js';
import { Batches, takeBatch } from '#batching/batches.js';
import type { Database } from '#database/database.js';
import { isRefusal, untilDone } from '#database/refusal.js';
import type { Append, PlanAppends, Request } from './append.js';
import type { Change } from './change.js';
import { isDrawnOften, learningLine } from './lines.js';
import { lockBeforePlan } from './lock-before-plan.js';
import { refusedStreams, STREAM_HELD } from './refusal.js';

/** Most requests in a transaction. */
const LARGEST = 16;
/** Milliseconds that requests which share a transaction wait for the locks of others. */
const LOCK_PATIENCE_MS = 50;

interface Waiting extends Request {
  resolve: (changes: Change[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Appends of one process. Requests of one organization that come at once, or while others are being written, share a
 * transaction, which under load is most of an append's cost. None waits or fails because of another: what cannot be written
 * with the others is written alone.
 */
export class AppendQueue {
  /** By organization. */
  private readonly queues = new Map<string, Batches<Waiting>>();

  constructor(
    private readonly database: Database,
    private readonly plan: PlanAppends,
  ) {}

  /** Appends atomically; resolves to the changes when they are committed. */
  append(context: Context, appends: Append[]): Promise<Change[]> {
    return new Promise((resolve, reject) => {
      this.queueOf(context.organizationId).add({ context, appends, resolve, reject });
    });
  }

  private queueOf(organizationId: string): Batches<Waiting> {
    let queue = this.queues.get(organizationId);
    if (!queue) {
      queue = new Batches(
        (waiting) => takeBatch(waiting, LARGEST, streamsOf),
        (batch, makeWay) => {
          makeWay();
          return this.write(batch);
        },
      );
      this.queues.set(organizationId, queue);
    }
    return queue;
  }

  /**
   * Never throws: each request is told how it went. Without `wait`, a request for a stream that somebody holds is written
   * alone.
   */
  private async write(batch: Waiting[], { wait } = { wait: false }): Promise<void> {
    try {
      const { organizationId } = batch[0]!.context;
      const changes = await untilDone(() =>
        (isDrawnOften(organizationId) ? this.writeLocked(batch) : this.writeAtOnce(batch, wait)).catch(
          learningLine(organizationId),
        ),
      );
      batch.forEach(({ resolve }, index) => resolve(changes[index]!));
    } catch (error) {
      const isOwn = batch.length === 1 && !hasCode(error, STREAM_HELD);
      if (isOwn || !isRefusal(error)) for (const { reject } of batch) reject(error);
      else await this.writeApart(batch, error as Error);
    }
  }

  private async writeAtOnce(batch: Waiting[], wait: boolean): Promise<Change[][]> {
    const { statements, changes } = this.plan(batch, { wait });
    await this.database.atomically(statements);
    return changes;
  }

  /** Several wait for locks but for a moment, so that none waits because of another: each is then written alone. */
  private writeLocked(batch: Waiting[]): Promise<Change[][]> {
    const begin = batch.length === 1 ? 'BEGIN' : `BEGIN; SET LOCAL lock_timeout = ${LOCK_PATIENCE_MS}`;
    return this.database.transaction(async (tx) => {
      await lockBeforePlan(tx, batch);
      const { statements, changes } = this.plan(batch, { wait: true });
      // They go out with the COMMIT, which tells the first failure.
      for (const statement of statements) tx.query(statement).catch(() => {});
      return changes;
    }, begin);
  }

  /** Writes each refused request alone, and the others together again. If the database does not say which, all go alone. */
  private async writeApart(batch: Waiting[], refusal: Error): Promise<void> {
    const refused = refusedStreams(refusal)?.map(({ id }) => id);
    const isRefused = (request: Waiting) => !refused || streamsOf(request).some((id) => refused.includes(id));
    const others = batch.filter((request) => !isRefused(request));
    // Not awaited: a request that waits for another transaction's stream must not hold up the others.
    for (const request of batch.filter(isRefused)) void this.write([request], { wait: true });
    if (others.length > 0) await this.write(others);
  }
}

const streamsOf = ({ appends }: Request): string[] => appends.map(({ id }) => id);
