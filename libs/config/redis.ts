import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { redisAddress } from './redis-address.js';

export type RedisClient = Redis | Cluster;

/** How often a Sentinel that does not answer, or a cluster without any node, is asked again, in milliseconds. */
const RETRY_MS = 500;

/**
 * A Redis that has become a replica takes no writes, and after a failover its address may lead to the new primary, which only a
 * new connection finds.
 */
const reconnectOnError = ({ message }: Error): boolean => message.includes('READONLY');

/** Options of a connection, whatever is behind it. `isOnce`: it is not tried again when it cannot be made. */
export interface RedisConnection extends Pick<
  RedisOptions,
  'maxRetriesPerRequest' | 'commandTimeout' | 'connectTimeout' | 'lazyConnect'
> {
  isOnce?: boolean;
}

/** Connects to what REDIS_URL names (see `redisAddress`): the primary, after each failover the new one. */
export function connectRedis(text: string, { isOnce = false, ...given }: RedisConnection): RedisClient {
  const address = redisAddress(text);
  if (!address) throw new Error('REDIS_URL is no address of Redis.');
  const options: RedisOptions = { ...given, reconnectOnError, ...(isOnce && { retryStrategy: () => null }) };
  if (address.kind === 'server') return new Redis(address.url, options);
  const retry = () => (isOnce ? null : RETRY_MS);
  const { username, password, isTls, hosts } = address;
  const secured: RedisOptions = { ...options, username, password, ...(isTls && { tls: {} }) };
  if (address.kind === 'cluster') {
    const { lazyConnect = false, ...redisOptions } = secured;
    const cluster: ClusterOptions = { redisOptions, lazyConnect, clusterRetryStrategy: retry };
    return new Cluster(hosts, cluster);
  }
  const { name, db, sentinelPassword } = address;
  return new Redis({
    ...secured,
    db,
    name,
    sentinels: hosts,
    sentinelPassword,
    enableTLSForSentinelMode: isTls,
    sentinelRetryStrategy: retry,
  });
}

/** Whether keys of one script must carry one hash tag, as in a cluster. */
export const needsHashTags = (text: string): boolean => redisAddress(text)?.kind === 'cluster';
