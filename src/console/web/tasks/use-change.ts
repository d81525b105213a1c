import { serviceTime } from '../data/connection.js';
import type { Seen } from '../data/edit.js';
import { attempt, notify } from '../data/notices.js';
import { type Calls, useCalls } from '../data/organization.js';
import type { Task } from '../data/records.js';
import type { Rows } from '../data/rows.js';
import { patch, patchAll, reload, reloadAll } from '../data/store.js';
import { keyOfRecord } from '../records/use-records.js';
import { words } from '../words/words.js';

const { tasks: text } = words;

/** Where tasks are found. */
export const TASKS = { place: 'tasks', idOf: ({ task_id }: Task) => task_id } as const;

type Changes = Partial<Pick<Task, 'completed_at' | 'due_at'>>;

/** Completes a task, or opens it again; shown at once, and with a way back. */
export function useComplete(): (task: Task) => void {
  const calls = useCalls();
  return (task) => {
    const { title, completed_at } = task;
    const isOpen = completed_at === null;
    const changes = { completed_at: isOpen ? new Date(serviceTime()).toISOString() : null };
    void change(calls, task, changes, isOpen ? text.completed(title) : text.reopened(title));
  };
}

/** Changes a task, and says so with a way back. */
export async function change(calls: Calls, task: Task, changes: Changes, said: string): Promise<void> {
  if (!(await send(calls, task, changes))) return;
  const before = Object.fromEntries(
    Object.keys(changes).map((name) => [name, task[name as keyof Changes]]),
  ) as Changes;
  const undo = () => void send(calls, { ...task, ...changes }, before);
  notify(said, { label: words.undo, run: undo });
}

async function send(calls: Calls, task: Task, changes: Changes): Promise<boolean> {
  const { task_id } = task;
  const key = keyOfRecord(task_id);
  const takeBack = [
    showTask({ ...task, ...changes }),
    patch<Seen<Task>>(key, (seen) => ({ ...seen, record: { ...seen.record, ...changes } })),
  ];
  const params = { path: { task_id } };
  const isDone = await attempt(
    () => calls.PATCH('/tasks/{task_id}', { params, body: changes }),
    () => takeBack.reverse().forEach((one) => one()),
  );
  if (isDone) {
    void reload(key);
    void reloadAll('tasks ');
  }
  return isDone;
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
