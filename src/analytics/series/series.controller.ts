import { Controller, Get, Query } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { OrganizationId } from '#http/access/caller.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { AgentsAnalyticsQuery } from '../figures/analytics.dto.js';
import { AgentsFiguresQueries } from './agents-figures.queries.js';
import { AgentsFiguresResponse, SeriesQuery, SeriesResponse } from './series.dto.js';
import { SeriesQueries } from './series.queries.js';

@ApiTags('Analytics')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/analytics')
export class SeriesController {
  constructor(
    private readonly series: SeriesQueries,
    private readonly agents: AgentsFiguresQueries,
  ) {}

  /**
   * Show how figures went over a window of time, by hour, day, week or month.
   *
   * The window is cut by the calendar of a time zone, so the days on which clocks change have 23 or 25 hours. Each bucket has what
   * the path of its figures answers for a window from its `start_date` to its `end_date`.
   */
  @Get('series')
  show(@OrganizationId() organizationId: string, @Query() query: SeriesQuery): Promise<SeriesResponse> {
    return this.series.series(organizationId, query);
  }

  /** Show what each agent sent and how each agent's sales went in a window of time. */
  @Get('agents')
  byAgent(
    @OrganizationId() organizationId: string,
    @Query() query: AgentsAnalyticsQuery,
  ): Promise<AgentsFiguresResponse> {
    return this.agents.agents(organizationId, query);
  }
}
