import type { Statement } from '#database/statements/statement.js';

/** Takes the locks of these keys of the organization until the transaction ends. Draws no transaction id. */
export const lockOf = (organizationId: string, keys: string[]): Statement => ({
  name: 'es_lock',
  text: 'SELECT es_lock($1, $2)',
  values: [organizationId, keys],
  share: { types: ['text', 'text[]'], isLock: true },
});
