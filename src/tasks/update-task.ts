import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import type { Versioned } from '#event-store/change.js';
import { EventStore } from '#event-store/event-store.js';
import { pathFirst } from '#http/path-first.js';
import { notFound } from '#http/problems/problem.js';
import { atVersion } from '#http/versions/versioned.js';
import { claimingExternalId } from '#http/records/claim-external-id.js';
import { shownTask } from './create-task.js';
import { task, type Task } from './task.js';
import { TaskLinks } from './task-links.js';
import type { TaskResponse, UpdateTaskBody } from './tasks.dto.js';
import { tasks } from './tasks.projection.js';

/** Changes the named fields of a task, completes or reopens it, all or nothing. */
export class UpdateTask extends Command<TaskResponse> {
  constructor(
    readonly context: Context,
    readonly taskId: string,
    readonly body: UpdateTaskBody,
  ) {
    super();
  }
}

@CommandHandler(UpdateTask)
export class UpdateTaskHandler implements ICommandHandler<UpdateTask> {
  constructor(
    private readonly store: EventStore,
    private readonly links: TaskLinks,
  ) {}

  async execute({ context, taskId, body }: UpdateTask): Promise<TaskResponse> {
    if (!isId('task', taskId)) throw notFound('task', taskId);
    const { organizationId } = context;
    const missing = () => notFound('task', taskId);
    const requires = await this.links
      .read(organizationId, body)
      .catch(pathFirst(this.store, context, tasks, taskId, missing));
    const changes = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const decide = ({ state }: Versioned<Task>) => {
      if (!state) throw missing();
      return task.decide(state, { type: 'UpdateTask', changes });
    };
    const { state, version } = await this.store.change(
      context,
      tasks,
      taskId,
      decide,
      requires,
      claimingExternalId(tasks, context, taskId, body.external_id),
    );
    return atVersion(shownTask(state!), version);
  }
}
