import { type PublicForms, shownAs } from '#event-store/public-event.js';
import { NO_REFERENCE } from '#kernel/external-reference.js';
import { inOrder } from '#kernel/in-order.js';
import { type TaskEvent, TASK_FIELDS } from './task.js';
import {
  TaskCompletedData,
  TaskCreatedData,
  TaskReopenedData,
  TaskRevisedData,
  TaskDeletedData,
} from './tasks.events.dto.js';

const TASK_CREATED = TASK_FIELDS.filter((field) => field !== 'completed_at');
const TASK_REVISED = TASK_CREATED.filter((field) => field !== 'task_id' && field !== 'created_at');

export const taskEvents: PublicForms<TaskEvent> = {
  TaskCreated: shownAs(TaskCreatedData, 'A task was created.', (task) =>
    inOrder(task, TASK_CREATED, NO_REFERENCE),
  ),
  TaskRevised: shownAs(TaskRevisedData, 'A task changed.', (changed) => inOrder(changed, TASK_REVISED)),
  TaskCompleted: shownAs(TaskCompletedData, 'A task was completed.', ({ completed_at }) => ({
    completed_at,
  })),
  TaskDeleted: shownAs(TaskDeletedData, 'A task was deleted.', () => ({})),
  TaskReopened: shownAs(TaskReopenedData, 'A completed task was opened again.', () => ({})),
};
