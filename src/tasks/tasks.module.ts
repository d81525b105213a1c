import { Module } from '@nestjs/common';
import { Upserts } from '#http/records/upsert.js';
import { CreateTaskHandler, CreateTasksHandler } from './create-task.js';
import { TaskLinks } from './task-links.js';
import { TasksController } from './tasks.controller.js';
import { TasksQueries } from './tasks.queries.js';
import { UpdateTaskHandler } from './update-task.js';
import { DeleteTaskHandler } from './delete-task.js';
import { RelinkTasks } from './relink-tasks.js';
import { TasksTimeline } from './tasks-timeline.queries.js';

/** Tasks: what is to be done, by whom, until when. */
@Module({
  controllers: [TasksController],
  providers: [
    TasksTimeline,
    Upserts,
    RelinkTasks,
    DeleteTaskHandler,
    TasksQueries,
    TaskLinks,
    CreateTaskHandler,
    CreateTasksHandler,
    UpdateTaskHandler,
  ],
})
export class TasksModule {}
