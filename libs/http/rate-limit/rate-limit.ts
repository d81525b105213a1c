import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { SharedBuckets } from './shared-buckets.js';
import { isSpooled } from '../input/upload.js';
import { type BucketSize, TokenBuckets } from './token-buckets.js';

/** Seconds until an empty bucket is full again: so the burst is twice the sustained rate. */
const WINDOW = 2;
/** Bytes of a body that cost no more than the request; as many again cost as much as another one. */
const BYTES_OF_ONE = 64 * 1024;

/**
 * A token bucket that admits `perSecond` requests of each `who`, such as an API key, and twice as many in a burst. Answers carry the headers of
 * the IETF proposal (httpapi-ratelimit-headers). With Redis all processes count together, without it each alone.
 */
export class RateLimit {
  private readonly size: BucketSize;
  private readonly buckets: TokenBuckets | SharedBuckets;
  private readonly refusals: TokenBuckets;
  private readonly admitted = new WeakMap<FastifyRequest, { id: string; bytesBefore: number }>();

  constructor(
    perSecond: number,
    redisUrl: string | null,
    private readonly who: string,
  ) {
    this.size = { burst: perSecond * WINDOW, perSecond };
    this.refusals = new TokenBuckets({ burst: perSecond, perSecond });
    this.buckets = redisUrl === null ? new TokenBuckets(this.size) : new SharedBuckets(redisUrl, this.size);
  }

  /** Rejects requests over the limit with 429 and `Retry-After`. */
  admit(id: string, reply: FastifyReply): void | Promise<void> {
    const { request } = reply;
    this.admitted.set(request, { id, bytesBefore: request.raw.socket.bytesRead });
    const taken = this.buckets.take(id);
    if (typeof taken === 'number') return this.answer(id, taken, reply);
    return taken.then((count) => this.answer(id, count, reply));
  }

  /** Has large bodies cost more than small ones, but those that are spooled: they are read where nobody waits. */
  chargeBodies(server: FastifyInstance): void {
    server.addHook('preValidation', (request, _reply, done) => {
      const admitted = this.admitted.get(request);
      if (admitted && !isSpooled(request.body)) {
        const { headers, raw } = request;
        const bytes = Number(headers['content-length'] ?? raw.socket.bytesRead - admitted.bytesBefore);
        const more = Math.min(Math.floor(bytes / BYTES_OF_ONE), this.size.burst);
        if (more > 0) this.buckets.charge(admitted.id, more);
      }
      done();
    });
  }

  close(): void {
    if (this.buckets instanceof SharedBuckets) this.buckets.close();
  }

  private answer(id: string, taken: number, reply: FastifyReply): void | Promise<void> {
    const { burst, perSecond } = this.size;
    const left = Math.max(0, Math.floor(burst - taken));
    void reply.header('RateLimit-Policy', `"default";q=${burst};w=${WINDOW}`);
    void reply.header('RateLimit', `"default";r=${left};t=${Math.ceil(Math.min(taken, burst) / perSecond)}`);
    if (taken > burst) return this.refuse(id, Math.ceil((taken - burst) / perSecond));
  }

  /**
   * Refusals, too, are sent at that rate: a client that ignores them waits for each up to a second, and nobody else
   * does.
   */
  private async refuse(id: string, retryAfter: number): Promise<void> {
    const { burst, perSecond } = this.size;
    const before = Math.min(this.refusals.take(id) - 1, perSecond);
    if (before > 0) await sleep((before / perSecond) * 1_000);
    throw new Problem(
      429,
      'rate_limited',
      `This ${this.who} may send ${perSecond} requests a second, and ${burst} at once.`,
      { headers: { 'Retry-After': String(retryAfter) } },
    );
  }
}
