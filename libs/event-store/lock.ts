import type { Statement } from '#database/statements/statement.js';

/** Takes the locks of these keys of the organization until the transaction ends. Draws no transaction id. */
export const lockOf = (organizationId: string, keys: string[]): Statement => ({
  name: 'es_lock',
  text: 'SELECT es_lock($1, $2)',
  values: [organizationId, keys],
  share: { types: ['text', 'text[]'], isLock: true },
});

/** Takes the same locks so that others can share them: whoever takes one with `lockOf` waits. Draws no transaction id. */
export const sharedLockOf = (organizationId: string, keys: string[]): Statement => ({
  name: 'es_lock_shared',
  text: `SELECT pg_advisory_xact_lock_shared(locks.key)
           FROM (SELECT es_lock_key($1, held.id) AS key FROM unnest($2::text[]) AS held (id) ORDER BY 1 OFFSET 0) locks`,
  values: [organizationId, keys],
});
