import { hasCode } from '#kernel/error-code.js';

const DEADLOCK = '40P01';
const DEADLOCK_TRIES = 5;
const HELD_UP = '55P03';
const IN_FAILED_TRANSACTION = '25P02';

/** Whether PostgreSQL ended this transaction to break a circle of waiting ones; run anew, it will succeed. */
export const isDeadlock = (error: unknown): boolean => hasCode(error, DEADLOCK);

/** Whether the database itself has said no. When a connection breaks instead, what was asked of it may have been done. */
export const isRefusal = (error: unknown): boolean => (error as { severity?: string }).severity === 'ERROR';

/** Whether a lock was waited for longer than the transaction has patience for. */
export const isHeldUp = (error: unknown): boolean => hasCode(error, HELD_UP);

/** Whether a statement was refused only because one before it in its transaction had failed. */
export const isConsequence = (error: unknown): boolean => hasCode(error, IN_FAILED_TRANSACTION);

/** Runs `work` anew each time it is the one that PostgreSQL ends to break a deadlock, a few times. */
export async function untilNoDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || attempt === DEADLOCK_TRIES) throw error;
    }
  }
}
