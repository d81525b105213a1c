import { hasCode } from '#kernel/error-code.js';

const DEADLOCK = '40P01';
/** SQLSTATE by which our own functions refuse what they take when it is tried again. */
export const TRY_AGAIN = 'PE006';
const MOST_TRIES = 5;
const HELD_UP = '55P03';
const IN_FAILED_TRANSACTION = '25P02';

/** Whether PostgreSQL ended this transaction to break a deadlock; run again, it will succeed. */
export const isDeadlock = (error: unknown): boolean => hasCode(error, DEADLOCK);

/** SQLSTATE class 08: the server of a cluster has lost the connection to a node. */
const LOST_NODE = /^08/;

/** Whether the database itself refused. When a connection breaks instead, the work may have been done. */
export function isRefusal(error: unknown): boolean {
  const { severity, code = '' } = error as { severity?: string; code?: string };
  return severity === 'ERROR' && !LOST_NODE.test(code);
}

/** Whether waiting for a lock took longer than the transaction's `lock_timeout`. */
export const isHeldUp = (error: unknown): boolean => hasCode(error, HELD_UP);

/** Whether a statement was refused only because an earlier one in its transaction had failed. */
export const isConsequence = (error: unknown): boolean => hasCode(error, IN_FAILED_TRANSACTION);

/** Runs `work` again, a few times at most, when PostgreSQL ends it to break a deadlock, or refuses it with `TRY_AGAIN`. */
export async function untilDone<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(isDeadlock(error) || hasCode(error, TRY_AGAIN)) || attempt === MOST_TRIES) throw error;
    }
  }
}
