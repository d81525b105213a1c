import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { ProjectionListResponse, ProjectionResponse } from './read-models.dto.js';
import { Rebuilds } from './rebuilds.js';

@ApiTags('Administration')
@ApiSecurity('admin-key')
@ApiProblems(400, 401, 404)
@Controller('admin/v1/projections')
export class ProjectionsAdminController {
  constructor(private readonly rebuilds: Rebuilds) {}

  /** List the read models, how far each has come in the event feed, and what it lags behind. */
  @Get()
  async list(): Promise<ProjectionListResponse> {
    return { data: await this.rebuilds.list() };
  }

  /**
   * Make a read model anew from all events, while reads and writes go on.
   *
   * The answer comes when it has begun; the list shows when it is done. 409 while one is under way.
   */
  @Post(':name/rebuild')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: ProjectionResponse, description: 'It has begun.' })
  @ApiProblems(409)
  rebuild(@Param('name') name: string): Promise<ProjectionResponse> {
    return this.rebuilds.start(name);
  }
}
