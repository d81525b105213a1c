import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { OrganizationId } from '#http/access/caller.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import {
  AgentAnalyticsResponse,
  AgentConversationAnalyticsResponse,
  AnalyticsQuery,
  SaleAnalyticsResponse,
  SalesAnalyticsQuery,
} from './analytics.dto.js';
import { AnalyticsQueries } from './analytics.queries.js';
import { Explanations } from './explain.js';
import { ExistingAgentGuard } from './existing-agent.guard.js';

@ApiTags('Analytics')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@UseGuards(ExistingAgentGuard)
@Controller('api/v2/organizations/:organization_id/agents/:agent_id/analytics')
export class AgentAnalyticsController {
  constructor(
    private readonly queries: AnalyticsQueries,
    private readonly explanations: Explanations,
  ) {}

  /** Show what an agent sent and how the agent's sales went in a window of time. */
  @Get()
  agent(
    @OrganizationId() organizationId: string,
    @Param('agent_id') agentId: string,
    @Query() query: SalesAnalyticsQuery,
  ): Promise<AgentAnalyticsResponse> {
    return this.explanations.with(
      this.queries.agent(organizationId, agentId, query),
      query,
      organizationId,
      agentId,
    );
  }

  /** Show what an agent sent in a window of time. */
  @Get('conversations')
  conversations(
    @OrganizationId() organizationId: string,
    @Param('agent_id') agentId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<AgentConversationAnalyticsResponse> {
    return this.explanations.with(
      this.queries.agentConversations(organizationId, agentId, query),
      query,
      organizationId,
      agentId,
    );
  }

  /** Show how the sales that an agent owns went in a window of time. */
  @Get('sales')
  sales(
    @OrganizationId() organizationId: string,
    @Param('agent_id') agentId: string,
    @Query() query: SalesAnalyticsQuery,
  ): Promise<SaleAnalyticsResponse> {
    return this.explanations.with(
      this.queries.agentSales(organizationId, agentId, query),
      query,
      organizationId,
      agentId,
    );
  }
}
