import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/**
 * Seconds of CPU that these processes and their children, the ended ones included, have used so far; null where the
 * system has no /proc.
 */
export function cpuSeconds(pids) {
  try {
    const all = new Map(
      readdirSync('/proc')
        .filter(Number)
        .map((pid) => [Number(pid), statOf(pid)]),
    );
    let ticks = 0;
    for (const [pid, stat] of all)
      if (stat && (pids.includes(pid) || pids.includes(stat.parent))) {
        ticks += stat.own;
        if (pids.includes(pid)) ticks += stat.endedChildren;
      }
    return ticks / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/** See proc_pid_stat(5); what stands before the last parenthesis is the program's name. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { parent: fields[1], own: fields[11] + fields[12], endedChildren: fields[13] + fields[14] };
  } catch {
    // It has ended meanwhile.
    return null;
  }
}
