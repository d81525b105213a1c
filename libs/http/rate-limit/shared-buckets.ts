import { connectRedis, type RedisClient } from '#config/redis.js';
import { type BucketSize, TokenBuckets } from './token-buckets.js';
import { NAME } from '#config/product.js';

/** A Redis that takes longer counts as away. Requests wait for it. */
const ANSWER_MS = 200;
/** Pause before asking again a Redis that did not answer. */
const REST_MS = 1_000;

/** As in `TokenBuckets`, by the clock of Redis, since the clocks of processes differ. */
const TAKE = `
  local seconds, micros = unpack(redis.call('TIME'))
  local now = seconds + micros / 1000000
  local burst, per_second, tokens, always = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == 'always'
  local count, at = unpack(redis.call('HMGET', KEYS[1], 'count', 'at'))
  count = math.max(0, (count or 0) - math.max(0, now - (at or now)) * per_second) + tokens
  if always or count <= burst then
    redis.call('HSET', KEYS[1], 'count', string.format('%.6f', count), 'at', string.format('%.6f', now))
    redis.call('EXPIRE', KEYS[1], math.ceil(count / per_second))
  end
  return string.format('%.6f', count)`;

interface Scripted {
  takeTokens(key: string, burst: number, perSecond: number, tokens: number, when: string): Promise<string>;
}

/**
 * A bucket for each key, shared by all processes on one Redis. While Redis is away each process counts alone: a limit must
 * not stop all requests.
 */
export class SharedBuckets {
  private readonly redis: RedisClient & Scripted;
  private readonly own: TokenBuckets;
  /** Refused keys, each until it can have a token again: until then Redis is not asked. */
  private readonly empty = new Map<string, number>();
  private askAgainAt = 0;

  constructor(
    redisUrl: string,
    private readonly size: BucketSize,
  ) {
    this.own = new TokenBuckets(size);
    this.redis = connectRedis(redisUrl, {
      commandTimeout: ANSWER_MS,
      maxRetriesPerRequest: 0,
    }) as RedisClient & Scripted;
    this.redis.defineCommand('takeTokens', { lua: TAKE, numberOfKeys: 1 });
    // The queue already reports that Redis is away.
    this.redis.on('error', () => {});
  }

  /** See `TokenBuckets`. */
  async take(key: string): Promise<number> {
    const now = performance.now();
    const { burst, perSecond } = this.size;
    const wait = (this.empty.get(key) ?? 0) - now;
    if (wait > 0) return burst + (wait * perSecond) / 1_000;
    this.empty.delete(key);
    if (now < this.askAgainAt) return this.own.take(key);
    try {
      const count = await this.takeThere(key, 1, 'where there is one');
      if (count > burst) this.empty.set(key, performance.now() + ((count - burst) * 1_000) / perSecond);
      return count;
    } catch {
      this.askAgainAt = performance.now() + REST_MS;
      return this.own.take(key);
    }
  }

  /** See `TokenBuckets`. */
  charge(key: string, tokens: number): void {
    if (performance.now() < this.askAgainAt) return this.own.charge(key, tokens);
    this.takeThere(key, tokens, 'always').catch(() => this.own.charge(key, tokens));
  }

  private async takeThere(
    key: string,
    tokens: number,
    when: 'always' | 'where there is one',
  ): Promise<number> {
    const { burst, perSecond } = this.size;
    return Number(await this.redis.takeTokens(`${NAME}:rate:${key}`, burst, perSecond, tokens, when));
  }

  close(): void {
    this.redis.disconnect();
  }
}
