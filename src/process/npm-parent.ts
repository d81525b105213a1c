import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const POLL_MS = 500;
const SHELLS = /^-?(ba|da|z|k)?sh$/;

/**
 * Calls `end` when the npm that started this process is gone: npm may die (kill -9, a closed terminal) without passing on a
 * signal. npm runs scripts through a shell that may stay in between; then the shell's parent is watched, too.
 */
export function endWithNpm(end: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const shell = inspect(parent);
  const npm = shell && SHELLS.test(shell.command) ? shell.parent : null;
  const timer = setInterval(() => {
    const orphaned = process.ppid !== parent || (npm !== null && inspect(parent)?.parent !== npm);
    if (!orphaned) return;
    clearInterval(timer);
    end();
  }, POLL_MS).unref();
}

/** The name and the parent of a process; null when there is none. */
function inspect(pid: number): { command: string; parent: number } | null {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return null;
  }
}

/** `pid (command) state ppid …`; the command may itself hold parentheses and spaces (proc(5)). */
function fromProc(pid: number): { command: string; parent: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const end = stat.lastIndexOf(')');
  return {
    command: stat.slice(stat.indexOf('(') + 1, end),
    parent: Number(stat.slice(end + 2).split(' ')[1]),
  };
}

function fromPs(pid: number): { command: string; parent: number } {
  const [parent = '', command = ''] = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], {
    encoding: 'utf8',
  })
    .trim()
    .split(/\s+/);
  return { command: command.split('/').at(-1)!, parent: Number(parent) };
}
