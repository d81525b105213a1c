import { connectRedis, needsHashTags } from '#config/redis.js';
import { redisAddress } from '#config/redis-address.js';
import { failed, type Finding, ok } from './finding.js';

const TIMEOUT_MS = 3_000;
/** The oldest version that can run BullMQ's scripts. */
const OLDEST_VERSION = 6.2;
/** One key of each kind: of the queues, of readiness and of rate limits. */
const KEYS = ['bull:delivery:meta', 'parley:alive', 'parley:rate:key'];
const KEYS_OF_CLUSTER = ['{bull}:delivery:meta', '{bull}:parley:alive', 'parley:rate:key'];

/** Whether the queue's Redis answers and keeps its data. */
export async function examineRedis(url: string): Promise<Finding> {
  const redis = connectRedis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    isOnce: true,
  });
  const keys = needsHashTags(url) ? KEYS_OF_CLUSTER : KEYS;
  let reason = '';
  redis.on('error', (error: Error) => (reason = error.message || (error as { code?: string }).code || ''));
  try {
    await redis.connect();
    const finding = judgeRedis(await redis.info());
    // These scripts touch no key, but the user needs the right to run them and to each key that they name.
    if (finding.verdict === 'ok') for (const key of keys) await redis.eval('return 1', 1, key);
    return finding;
  } catch (error) {
    const detail = reason || (error as Error).message;
    return failed(
      'redis',
      `${redisAddress(url)!.shown} cannot be used: ${detail}`,
      detail.startsWith('NOPERM')
        ? 'Allow the user all keys bull:* and parley:*, scripts and INFO (ACL SETUSER … ~bull:* ~parley:* +@all).'
        : 'Start it, or correct REDIS_URL (password included); without REDIS_URL the queue is in PostgreSQL.',
    );
  } finally {
    redis.disconnect();
  }
}

/** Judges by the text of `INFO`. */
export function judgeRedis(info: string): Finding {
  const value = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
  const version = value('redis_version');
  if (Number.parseFloat(version) < OLDEST_VERSION)
    return failed('redis', `Redis ${version} is older than ${OLDEST_VERSION}`, 'Upgrade it.');
  const policy = value('maxmemory_policy');
  if (policy !== 'noeviction')
    return failed(
      'redis',
      `maxmemory-policy is ${policy}: Redis throws jobs away when it is full`,
      'Set maxmemory-policy to noeviction.',
    );
  if (value('role') === 'slave')
    return failed('redis', 'the server is a read-only replica', 'Point REDIS_URL at the primary.');
  const most = Number(value('maxmemory'));
  if (most > 0 && Number(value('used_memory')) >= most)
    return failed(
      'redis',
      `all of its memory is used (maxmemory ${most}): it takes no jobs`,
      'Raise maxmemory, or take away what else is kept there.',
    );
  return ok('redis', `Redis ${version}, ${policy}`);
}
