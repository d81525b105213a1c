import { type PublicForms, shownAs } from '#event-store/public-event.js';
import type { TaskEvent } from './task.js';
import { TaskCompletedData, TaskCreatedData, TaskReopenedData, TaskRevisedData } from './tasks.events.dto.js';

export const taskEvents: PublicForms<TaskEvent> = {
  TaskCreated: shownAs(TaskCreatedData, 'A task was created.', (task) => task),
  TaskRevised: shownAs(TaskRevisedData, 'A task changed.', (changed) => changed),
  TaskCompleted: shownAs(TaskCompletedData, 'A task was completed.', ({ completed_at }) => ({
    completed_at,
  })),
  TaskReopened: shownAs(TaskReopenedData, 'A completed task was opened again.', () => ({})),
};
