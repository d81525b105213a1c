// What other contexts may use of tasks.
export { task, type Task, TASK_FIELDS } from './task.js';
export { tasks } from './tasks.projection.js';
