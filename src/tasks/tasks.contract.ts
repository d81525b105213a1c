// What other contexts may use of tasks.
export { CreateTask } from './create-task.js';
export { UpdateTask } from './update-task.js';
