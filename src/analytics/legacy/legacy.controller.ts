import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { CalledBy, type Caller } from '#http/access/caller.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Directory } from '../../workspace/workspace.contract.js';
import { WindowQuery } from '../figures/analytics.dto.js';
import { LegacyAnalyticsResponse, LegacySolutionResponse } from './legacy.dto.js';
import { LegacyQueries } from './legacy.queries.js';
import { SolutionOrganization, VisibleSolutionGuard } from './visible-solution.guard.js';

@ApiTags('Legacy')
@ApiSecurity('api-key')
@ApiProblems(400, 401)
@Controller('api/v1/solutions')
export class LegacyController {
  constructor(
    private readonly directory: Directory,
    private readonly queries: LegacyQueries,
  ) {}

  /** List the legacy solutions of the organizations that the key sees, newest first. */
  @Get()
  async solutions(@CalledBy() caller: Caller): Promise<LegacySolutionResponse[]> {
    const solutions = await this.directory.solutions(caller.organizationIds);
    return solutions.map(({ uuid, name }) => ({ uuid, name }));
  }

  /** Show the figures of a legacy solution's organization in a window of time. */
  @Get(':solution_id/analytics')
  @ApiProblems(404)
  @UseGuards(VisibleSolutionGuard)
  analytics(
    @Param('solution_id') _solutionId: string,
    @SolutionOrganization() organizationId: string,
    @Query() query: WindowQuery,
  ): Promise<LegacyAnalyticsResponse> {
    return this.queries.analytics(organizationId, query);
  }
}
