import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from '#kernel/error-code.js';

const DEADLOCK = '40P01';
/** SQLSTATE by which our own functions refuse what they take when it is tried again. */
export const TRY_AGAIN = 'PE006';
const MOST_TRIES = 10;
/** Milliseconds before the second try; longer before each later one. */
const LONGEST_PAUSE_MS = 20;
const HELD_UP = '55P03';
const IN_FAILED_TRANSACTION = '25P02';

const says = (error: unknown, words: string): boolean => (error as Error).message?.startsWith(words) === true;

/** Whether a cluster has moved the organization to another node while it planned the statement, of which nothing was done. */
export const isMoved = (error: unknown): boolean => says(error, 'could not find valid entry for shard');

/** Whether PostgreSQL ended this transaction to break a deadlock; run again, it will succeed. */
export const isDeadlock = (error: unknown): boolean => hasCode(error, DEADLOCK);

/** Whether the server of a cluster has lost the connection to a node: SQLSTATE class 08, or the words of its own driver under XX000. */
export const hasLostNode = (error: unknown): boolean =>
  String((error as { code?: unknown }).code).startsWith('08') ||
  says(error, 'server closed the connection unexpectedly');

/** Whether the database itself refused. When a connection breaks instead, the work may have been done. */
export function isRefusal(error: unknown): boolean {
  return (error as { severity?: string }).severity === 'ERROR' && !hasLostNode(error);
}

/** Whether waiting for a lock took longer than the transaction's `lock_timeout`. */
export const isHeldUp = (error: unknown): boolean => hasCode(error, HELD_UP);

/** Whether a statement was refused only because an earlier one in its transaction had failed. */
export const isConsequence = (error: unknown): boolean => hasCode(error, IN_FAILED_TRANSACTION);

/** Runs `work` again, a few times at most, when PostgreSQL ends it to break a deadlock, refuses it with `TRY_AGAIN`, or moves what it is about. */
export async function untilDone<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(isDeadlock(error) || isMoved(error) || hasCode(error, TRY_AGAIN)) || attempt === MOST_TRIES)
        throw error;
      // Those that met would meet again if all went on at once.
      await sleep(Math.random() * attempt * LONGEST_PAUSE_MS);
    }
  }
}
