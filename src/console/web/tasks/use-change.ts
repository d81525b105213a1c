import { useState } from 'preact/hooks';
import { serviceTime } from '../data/connection.js';
import { edit, editListed, type Seen, seenAs } from '../data/edit.js';
import { attempt, notify } from '../data/notices.js';
import { type Calls, useCalls } from '../data/organization.js';
import type { Task } from '../data/records.js';
import type { Rows } from '../data/rows.js';
import { patch, patchAll, reloadAll } from '../data/store.js';
import { writing } from '../data/watched-fetch.js';
import { keyOfRecord } from '../records/use-records.js';
import { words } from '../words/words.js';

const { tasks: text } = words;

/** Where tasks are found. */
export const TASKS = { place: 'tasks', idOf: ({ task_id }: Task) => task_id } as const;

type Changes = Partial<Pick<Task, 'completed_at' | 'due_at'>>;
type Edited = { done: Seen<Task> } | { met: Seen<Task> };

/** A change that met another person's: what it was to be, and the task as it is now. */
export interface MetChange {
  changes: Changes;
  said: string;
  task: Task;
  now: Seen<Task>;
}

/** Completes a task, or opens it again; shown at once, and with a way back. */
export function useComplete(): (task: Task) => void {
  const { change } = useChange();
  return (task) => {
    const { title } = task;
    const changes = { completed_at: isOpen(task) ? new Date(serviceTime()).toISOString() : null };
    change(task, changes, isOpen(task) ? text.completed(title) : text.reopened(title));
  };
}

/** Changes tasks, and says so with a way back; what another has changed meanwhile is asked about (`met`). */
export function useChange() {
  const calls = useCalls();
  const [met, setMet] = useState<MetChange | null>(null);
  const run = async (task: Task, changes: Changes, said: string, base?: Seen<Task>): Promise<void> => {
    const outcome = await send(calls, task, changes, base);
    if (outcome === null) return;
    if ('met' in outcome) {
      const now = outcome.met;
      if ('due_at' in changes) setMet({ changes, said, task: { ...task, ...now.record }, now });
      else notify(words.refused(words.met.title));
      return;
    }
    const before = Object.fromEntries(
      Object.keys(changes).map((name) => [name, task[name as keyof Changes]]),
    ) as Changes;
    const undo = async () => {
      const { done } = outcome;
      const undone = await send(calls, { ...task, ...done.record }, before, done);
      if (undone && 'met' in undone) notify(words.refused(words.met.title));
    };
    notify(said, { label: words.undo, run: () => void undo() });
  };
  const settle = (isMine: boolean): void => {
    setMet(null);
    if (isMine && met) void run(met.task, met.changes, met.said, met.now);
  };
  return {
    change: (task: Task, changes: Changes, said: string) => void run(task, changes, said),
    met,
    settle,
  };
}

/** Null where it was refused, which is said. */
async function send(calls: Calls, task: Task, changes: Changes, base?: Seen<Task>): Promise<Edited | null> {
  const { task_id } = task;
  const key = keyOfRecord(task_id);
  const takeBack = [
    showTask({ ...task, ...changes }),
    patch<Seen<Task>>(key, (seen) => ({ ...seen, record: { ...seen.record, ...changes } })),
  ];
  let outcome: Edited | null = null;
  await attempt(
    async () => void (outcome = await writing(() => edited(calls, task, changes, base))),
    () => takeBack.reverse().forEach((one) => one()),
  );
  return outcome && shown(outcome, task);
}

/** Shows the task as it is now, with what the list showed beside it. */
function shown(outcome: Edited, task: Task): Edited {
  const now = 'done' in outcome ? outcome.done : outcome.met;
  showTask({ ...task, ...now.record });
  patch<Seen<Task>>(keyOfRecord(task.task_id), () => now);
  void reloadAll('tasks ');
  return outcome;
}

const isOpen = ({ completed_at }: Changes): boolean => completed_at === null;

async function edited(calls: Calls, task: Task, changes: Changes, base?: Seen<Task>): Promise<Edited> {
  const params = { path: { task_id: task.task_id } };
  const read = () => calls.GET<Task>('/tasks/{task_id}', { params });
  const write = (headers: Record<string, string>) =>
    calls.PATCH<Task>('/tasks/{task_id}', { params, body: changes, headers });
  if (base) return edit({ base, changes, read, write });
  if (!('completed_at' in changes)) return editListed({ listed: task, changes, read, write });
  const isAlready = (now: Seen<Task>) => isOpen(now.record) === isOpen(changes);
  const now = seenAs(await read());
  // Whoever was faster has done the same.
  if (isAlready(now)) return { done: now };
  const outcome = await edit({ base: now, changes, read, write });
  return 'met' in outcome && isAlready(outcome.met) ? { done: outcome.met } : outcome;
}

/** Shows the task in the list where it belongs now, and in no other; gives what takes it back. */
export function showTask(task: Task): () => void {
  const { task_id, completed_at, due_at } = task;
  const list = completed_at !== null ? 'tasks done ' : due_at === null ? 'tasks undated ' : 'tasks dated ';
  const undo = [
    patchAll<Rows<Task>>('tasks ', ({ rows, next }) => ({
      rows: rows.filter((row) => row.task_id !== task_id),
      next,
    })),
    patchAll<Rows<Task>>(list, ({ rows, next }) => {
      const at = due_at === null || completed_at !== null ? 0 : rows.findIndex((row) => row.due_at! > due_at);
      return { rows: at < 0 ? [...rows, task] : rows.toSpliced(at, 0, task), next };
    }),
  ];
  return () => undo.reverse().forEach((takeBack) => takeBack());
}
