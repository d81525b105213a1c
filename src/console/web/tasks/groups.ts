import type { Task } from '../data/records.js';

/** In the order in which they are shown. */
export const GROUPS = ['overdue', 'today', 'later', 'undated', 'done'] as const;
export type Group = (typeof GROUPS)[number];

/** The group of a task at the instant `now`; `tomorrow` is when the day of the organization ends. Both are ISO 8601 in UTC. */
export function groupOf(
  { completed_at, due_at }: Pick<Task, 'completed_at' | 'due_at'>,
  now: string,
  tomorrow: string,
): Group {
  if (completed_at !== null) return 'done';
  if (due_at === null) return 'undated';
  if (Date.parse(due_at) < Date.parse(now)) return 'overdue';
  return Date.parse(due_at) < Date.parse(tomorrow) ? 'today' : 'later';
}

export type Entry = { head: Group } | { task: Task };

/** The tasks with the name of each group before its first. They come in the order of the groups. */
export function withHeads(tasks: { task: Task; group: Group }[]): Entry[] {
  let before: Group | null = null;
  return tasks.flatMap(({ task, group }): Entry[] => {
    const isFirst = group !== before;
    before = group;
    return isFirst ? [{ head: group }, { task }] : [{ task }];
  });
}
