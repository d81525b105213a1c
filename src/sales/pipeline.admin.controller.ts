import { Body, Controller, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { Ctx } from '#http/access/caller.js';
import { readInputs } from '#http/input/input.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { SaleStatusListResponse, StageBody } from './pipeline.dto.js';
import { ReplacePipeline } from './replace-pipeline.js';

@ApiTags('Administration')
@ApiSecurity('admin-key')
@ApiProblems(400, 401, 404)
@Controller('admin/v1/organizations/:organization_id/sale-statuses')
export class PipelineAdminController {
  constructor(private readonly commands: CommandBus) {}

  /**
   * Set the whole pipeline: the stages in their new order.
   *
   * Stages are reordered and renamed by their `status_id`, added without one, and dropped by leaving them out; a stage
   * that sales are in cannot be dropped. What sales have passed through keeps the name it had then.
   */
  @Put()
  @ApiBody({ type: [StageBody] })
  replace(@Ctx() context: Context, @Body() body: unknown): Promise<SaleStatusListResponse> {
    return this.commands.execute(new ReplacePipeline(context, readInputs(StageBody, body)));
  }
}
