import type { Task } from '../data/records.js';
import { groupOf, withHeads } from './groups.js';

const NOW = '2026-03-12T15:00:00.000Z';
/** Midnight in New York. */
const TOMORROW = '2026-03-13T04:00:00.000Z';
const at = (due_at: string | null, completed_at: string | null = null) => ({ due_at, completed_at });

describe('the group of a task', () => {
  it.each([
    ['overdue', at('2026-03-12T14:59:59.999999Z')],
    ['today', at('2026-03-12T15:00:00Z')],
    ['today', at('2026-03-13T03:59:59Z')],
    ['later', at('2026-03-13T04:00:00Z')],
    ['undated', at(null)],
    ['done', at('2020-01-01T00:00:00Z', '2026-03-12T14:00:00Z')],
    ['done', at(null, '2026-03-12T14:00:00Z')],
  ] as const)('is %s for %j', (group, task) => expect(groupOf(task, NOW, TOMORROW)).toBe(group));
});

it('names each group once, before its tasks', () => {
  const task = (task_id: string) => ({ task_id }) as Task;
  const entries = withHeads([
    { task: task('1'), group: 'overdue' },
    { task: task('2'), group: 'later' },
    { task: task('3'), group: 'later' },
  ]);
  expect(entries.map((entry) => ('head' in entry ? entry.head : entry.task.task_id))).toEqual([
    'overdue',
    '1',
    'later',
    '2',
    '3',
  ]);
});
