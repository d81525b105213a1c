import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readIfThere } from '#config/kept-file.js';
import { makeDirectory } from '#config/make-directory.js';
import { hasCode } from '#kernel/error-code.js';
import { DATA_DIR_VARIABLE } from '#config/product.js';

const NOBODY = 'free';

/**
 * Claims the data directory above `dir` for this process and returns the function that gives it back; throws,
 * naming the owner, when a living process holds it. A claim ends with its process, so that kill -9 leaves nothing
 * to clean up by hand.
 *
 * Claims are numbered symbolic links `<number> -> <pid> <start>`, created atomically with their content. The
 * highest number decides, and only the holder of a higher one removes it: that closes the race of two processes
 * that both find a dead owner, where unlink-and-create would let the slower remove the claim of the faster.
 */
export function claim(dir: string): () => void {
  makeDirectory(dir);
  const self = `${process.pid} ${startOf(process.pid)}`;
  for (;;) {
    const latest = latestClaim(dir);
    if (isAlive(latest.owner))
      throw new Error(
        `The data directory ${dirname(dir)} is in use by process ${Number.parseInt(latest.owner, 10)}. ` +
          `Stop that process, or set ${DATA_DIR_VARIABLE} to another directory.`,
      );
    const mine = latest.number + 1;
    if (!link(dir, mine, self)) continue;
    // The claim found above may have been superseded and removed meanwhile, which made its number free.
    if (latestClaim(dir).number > mine) {
      rmSync(join(dir, String(mine)), { force: true });
      continue;
    }
    removeBelow(dir, mine);
    return () => release(dir, mine);
  }
}

function release(dir: string, mine: number): void {
  try {
    link(dir, mine + 1, NOBODY);
    removeBelow(dir, mine + 1);
  } catch {
    // The directory was removed or closed to us; the claim ends with this process anyway.
  }
}

/** Whether a living process holds the claim on `dir`. */
export function isClaimed(dir: string): boolean {
  return isAlive(latestClaim(dir).owner);
}

/** The command line of a process, arguments joined by spaces; empty when there is none (ended, or a zombie). */
export function commandLineOf(pid: number): string {
  try {
    if (existsSync('/proc/self/cmdline'))
      return (readIfThere(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ');
    return ps(pid, 'command=');
  } catch {
    return '';
  }
}

function latestClaim(dir: string): { number: number; owner: string } {
  for (;;) {
    const number = Math.max(0, ...numbersIn(dir));
    if (number === 0) return { number, owner: NOBODY };
    try {
      return { number, owner: readlinkSync(join(dir, String(number))) };
    } catch (error) {
      // The claim was superseded between listing and reading: list again.
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
}

function numbersIn(dir: string): number[] {
  return namesIn(dir)
    .map(Number)
    .filter((number) => Number.isSafeInteger(number));
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    // The data directory was removed.
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function removeBelow(dir: string, number: number): void {
  for (const lower of numbersIn(dir).filter((other) => other < number))
    rmSync(join(dir, String(lower)), { force: true });
}

function link(dir: string, number: number, owner: string): boolean {
  try {
    symlinkSync(owner, join(dir, String(number)));
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function isAlive(owner: string): boolean {
  const [pid, ...start] = owner.split(' ');
  return owner !== NOBODY && startOf(Number(pid)) === start.join(' ');
}

/** When a process started; null when it has ended. With the pid it names the process for good, as pids are used again. */
function startOf(pid: number): string | null {
  try {
    if (!existsSync('/proc/self/stat')) return ps(pid, 'lstart=');
    // proc(5): the name, in parentheses, may hold anything; the third field is the state, the 22nd the start.
    const fields = readIfThere(`/proc/${pid}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ');
    return !fields || fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function ps(pid: number, column: string): string {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  return execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], { env, encoding: 'utf8' }).trim();
}
