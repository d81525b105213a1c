import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { Expandable } from '#http/expansion/expandable.js';
import { ApiPage, type Page } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { ApiBatch, type BatchResponse } from '#http/records/batch.js';
import { ApiUpsert, type Upsert, Upserts } from '#http/records/upsert.js';
import { notFound } from '#http/problems/problem.js';
import { Versioned } from '#http/versions/versioned.js';
import { CreateTask, CreateTasks } from './create-task.js';
import { CreateTaskBody, ListTasksQuery, MadeTaskBody, TaskResponse, UpdateTaskBody } from './tasks.dto.js';
import { TASK_EXPANSIONS } from './task-expansions.js';
import { TasksQueries } from './tasks.queries.js';
import { UpdateTask } from './update-task.js';
import { tasks } from './tasks.projection.js';
import { DeleteTask } from './delete-task.js';

const UPSERT: Upsert<MadeTaskBody, UpdateTaskBody, TaskResponse> = {
  aggregate: tasks,
  bodyOfCreation: MadeTaskBody,
  bodyOfChange: UpdateTaskBody,
  create: (context, body) => new CreateTask(context, body),
  change: (context, id, body) => new UpdateTask(context, id, body),
};

@ApiTags('Tasks')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/tasks')
export class TasksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly upserts: Upserts,
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

  /**
   * Make the task with an external id of yours, or change the fields that the body names.
   *
   * The same request again changes nothing, and of many at once one makes it.
   */
  @Put('by-external-id/:external_id')
  @Versioned({ ifMatch: true })
  @ApiUpsert(UpdateTaskBody, TaskResponse)
  @ApiProblems(403, 409)
  put(
    @Param('external_id') externalId: string,
    @Ctx() context: Context,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TaskResponse> {
    return this.upserts.put(context, externalId, body, reply, UPSERT);
  }

  /** Create up to 200 tasks, each decided alone. */
  @Post('batch')
  @HttpCode(200)
  @ApiBatch(CreateTaskBody, TaskResponse)
  @ApiProblems(403)
  createMany(
    @Ctx() context: Context,
    @Req() request: FastifyRequest,
    @Body() batch: unknown,
  ): Promise<BatchResponse<TaskResponse>> {
    return this.commands.execute(new CreateTasks(context, request.url, batch));
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

  /** Delete a task. */
  @Delete(':task_id')
  @HttpCode(204)
  @ApiProblems(403)
  remove(@Param('task_id') taskId: string, @Ctx() context: Context): Promise<void> {
    return this.commands.execute(new DeleteTask(context, taskId));
  }
}
