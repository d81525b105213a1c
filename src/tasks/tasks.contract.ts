// What other contexts may use of tasks.
export { task, type Task, TASK_FIELDS } from './task.js';
export { CreateTask } from './create-task.js';
export { DeleteTask } from './delete-task.js';
export { tasks } from './tasks.projection.js';
