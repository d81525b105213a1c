import type { FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from './problem.js';

/** Seconds of the window. Twice the sustained rate fits into it at once, which is the burst. */
const WINDOW = 2;

/**
 * Admits `requestsPerSecond` per API key and process, and twice that in a burst; says so in the headers of the IETF
 * draft (draft-ietf-httpapi-ratelimit-headers). Throws 429 with `Retry-After` for what is over.
 */
export class RateLimit {
  private readonly limiter: RateLimiterMemory;
  private readonly quota: number;

  constructor(requestsPerSecond: number) {
    this.quota = requestsPerSecond * WINDOW;
    this.limiter = new RateLimiterMemory({ points: this.quota, duration: WINDOW });
  }

  async admit(keyId: string, reply: FastifyReply): Promise<void> {
    const state = await this.limiter.consume(keyId).catch((refusal: unknown) => refusal);
    if (!(state instanceof RateLimiterRes)) throw state;
    const seconds = Math.ceil(state.msBeforeNext / 1000);
    void reply.header('RateLimit-Policy', `"default";q=${this.quota};w=${WINDOW}`);
    void reply.header('RateLimit', `"default";r=${state.remainingPoints};t=${seconds}`);
    if (state.consumedPoints > this.quota)
      throw new Problem(
        429,
        'rate_limited',
        `This key has used up its ${this.quota} requests in ${WINDOW} seconds.`,
        {
          headers: { 'Retry-After': String(Math.max(1, seconds)) },
        },
      );
  }
}
