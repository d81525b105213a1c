import type { Transaction } from '#database/statements/statement.js';
import type { Request } from './append.js';
import { holdLine, isDrawnOften } from './lines.js';
import { lockOf, sharedLockOf } from './lock.js';

/**
 * Where readers draw line after line, an append could be refused each time it is tried. Then it takes what it needs before it is planned:
 * the locks of its streams, those of what it requires, and the line as the last one.
 */
export async function lockBeforePlan(tx: Transaction, requests: Request[]): Promise<void> {
  const { organizationId } = requests[0]!.context;
  if (!isDrawnOften(organizationId)) return;
  const appends = requests.flatMap((request) => request.appends);
  const streams = appends.map(({ id }) => id);
  const required = appends
    .flatMap(({ requires }) => requires.map(({ id }) => id))
    .filter((id) => !streams.includes(id));
  // If one is refused, so is everything after it in the transaction.
  tx.query(lockOf(organizationId, streams)).catch(() => {});
  if (required.length > 0) tx.query(sharedLockOf(organizationId, required)).catch(() => {});
  await holdLine(tx, organizationId);
}
