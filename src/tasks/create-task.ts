import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { inOrder } from '#kernel/in-order.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { atVersion } from '#http/versions/versioned.js';
import { task, type Task, TASK_FIELDS } from './task.js';
import { TaskLinks } from './task-links.js';
import type { CreateTaskBody, TaskResponse } from './tasks.dto.js';
import { tasks } from './tasks.projection.js';

/** Creates an open task. Refuses unknown ids and more than one link (400). */
export class CreateTask extends Command<TaskResponse> {
  constructor(
    readonly context: Context,
    readonly body: CreateTaskBody,
  ) {
    super();
  }
}

@CommandHandler(CreateTask)
export class CreateTaskHandler implements ICommandHandler<CreateTask> {
  constructor(
    private readonly store: EventStore,
    private readonly links: TaskLinks,
  ) {}

  async execute({ context, body }: CreateTask): Promise<TaskResponse> {
    const task_id = newId('task');
    const events = task.decide(null, {
      type: 'CreateTask',
      task_id,
      title: body.title,
      notes: body.notes ?? null,
      due_at: body.due_at ?? null,
      agent_id: body.agent_id ?? null,
      company_id: body.company_id ?? null,
      contact_id: body.contact_id ?? null,
      sale_id: body.sale_id ?? null,
      created_at: now(),
    });
    const requires = await this.links.read(context.organizationId, body);
    const [created] = await this.store.append(context, [appendTo(tasks, task_id, NEW, events, requires)]);
    return atVersion(inOrder(created!.state as Task, TASK_FIELDS), created!.version);
  }
}
