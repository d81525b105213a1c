/**
 * For `reconnectOnError` of ioredis: a Redis that has become a replica takes no writes, and after a failover its address may
 * lead to the new primary, which only a new connection finds.
 */
export const isReplica = ({ message }: Error): boolean => message.includes('READONLY');
