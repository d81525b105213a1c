// What other contexts may use of tasks.
export { task } from './task.js';
export { tasks } from './tasks.projection.js';
