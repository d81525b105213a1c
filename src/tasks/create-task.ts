import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { newReference } from '#kernel/external-reference.js';
import { inOrder } from '#kernel/in-order.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { appendTo, NEW } from '#event-store/append.js';
import type { Stamped } from '#event-store/rows.js';
import { create, type Creation } from '#event-store/creation.js';
import { EventStore } from '#event-store/event-store.js';
import { atVersion } from '#http/versions/versioned.js';
import { type BatchResponse, createBatch } from '#http/records/batch.js';
import { claimingExternalId } from '#http/records/claim-external-id.js';
import { task, type Task, TASK_FIELDS } from './task.js';
import { TaskLinks } from './task-links.js';
import { CreateTaskBody, type MadeTaskBody, type TaskResponse } from './tasks.dto.js';
import { tasks } from './tasks.projection.js';

/** Creates an open task. Refuses unknown ids and more than one link (400). */
export class CreateTask extends Command<TaskResponse> {
  constructor(
    readonly context: Context,
    readonly body: CreateTaskBody | MadeTaskBody,
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
    return create(this.store, context, await planTask(this.links, context, body));
  }
}

/** Creates tasks, each decided alone. */
export class CreateTasks extends Command<BatchResponse<TaskResponse>> {
  constructor(
    readonly context: Context,
    readonly url: string,
    readonly batch: unknown,
  ) {
    super();
  }
}

@CommandHandler(CreateTasks)
export class CreateTasksHandler implements ICommandHandler<CreateTasks> {
  constructor(
    private readonly store: EventStore,
    private readonly links: TaskLinks,
  ) {}

  execute({ context, url, batch }: CreateTasks): Promise<BatchResponse<TaskResponse>> {
    return createBatch(this.store, context, url, batch, CreateTaskBody, (body) =>
      planTask(this.links, context, body),
    );
  }
}

async function planTask(
  links: TaskLinks,
  context: Context,
  body: CreateTaskBody | MadeTaskBody,
): Promise<Creation<TaskResponse>> {
  const task_id = newId('task');
  const created = task.decide(null, {
    type: 'CreateTask',
    task_id,
    title: body.title,
    notes: body.notes ?? null,
    due_at: body.due_at ?? null,
    agent_id: body.agent_id ?? null,
    company_id: body.company_id ?? null,
    contact_id: body.contact_id ?? null,
    sale_id: body.sale_id ?? null,
    ...newReference(body),
    created_at: now(),
  });
  const events =
    'completed_at' in body && body.completed_at !== undefined
      ? [...created, { type: 'TaskCompleted' as const, data: { completed_at: body.completed_at } }]
      : created;
  const requires = await links.read(context.organizationId, body);
  return {
    append: appendTo(tasks, task_id, NEW, events, requires),
    claim: claimingExternalId(tasks, context, task_id, body.external_id),
    shown: ({ state, version }) => atVersion(shownTask(state as Task), version),
  };
}

/** The task as the contract shows it. */
export const shownTask = (task: Task): TaskResponse =>
  inOrder(task as Stamped<Task>, [...TASK_FIELDS, 'updated_at']);
