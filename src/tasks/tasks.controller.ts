import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { Expandable } from '#http/expansion/expandable.js';
import { ApiPage, type Page } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { notFound } from '#http/problems/problem.js';
import { Versioned } from '#http/versions/versioned.js';
import { CreateTask } from './create-task.js';
import { TASK_EXPANSIONS } from './task-expansions.js';
import { CreateTaskBody, ListTasksQuery, TaskResponse, UpdateTaskBody } from './tasks.dto.js';
import { TasksQueries } from './tasks.queries.js';
import { UpdateTask } from './update-task.js';

@ApiTags('Tasks')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/tasks')
export class TasksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: TasksQueries,
  ) {}

  /** List tasks, newest first. */
  @Get()
  @Expandable(TASK_EXPANSIONS)
  @ApiPage(TaskResponse)
  list(
    @OrganizationId() organizationId: string,
    @Query() query: ListTasksQuery,
  ): Promise<Page<TaskResponse>> {
    return this.queries.list(organizationId, query);
  }

  /** Create a task. */
  @Post()
  @Versioned()
  @ApiProblems(403)
  create(@Ctx() context: Context, @Body() body: CreateTaskBody): Promise<TaskResponse> {
    return this.commands.execute(new CreateTask(context, body));
  }

  /** Show one task. */
  @Get(':task_id')
  @Expandable(TASK_EXPANSIONS)
  @Versioned()
  async get(
    @OrganizationId() organizationId: string,
    @Param('task_id') taskId: string,
  ): Promise<TaskResponse> {
    const task = await this.queries.task(organizationId, taskId);
    if (!task) throw notFound('task', taskId);
    return task;
  }

  /** Change, complete or reopen a task. */
  @Patch(':task_id')
  @Versioned()
  @ApiProblems(403, 409)
  update(
    @Param('task_id') taskId: string,
    @Ctx() context: Context,
    @Body() body: UpdateTaskBody,
  ): Promise<TaskResponse> {
    return this.commands.execute(new UpdateTask(context, taskId, body));
  }
}
