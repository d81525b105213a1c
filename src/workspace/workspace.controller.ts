import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { actingAgent, type Context } from '#kernel/context.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { CalledBy, type Caller, Ctx, OrganizationId } from '#http/access/caller.js';
import { ApiPage, UpdatedPageQuery, type Page } from '#http/paging/page.dto.js';
import { Problem } from '#http/problems/problem.js';
import { atVersion, Versioned } from '#http/versions/versioned.js';
import { Agents } from './agents.js';
import { Directory } from './workspace.directory.js';
import { CustomFieldsResponse } from './custom-field.dto.js';
import {
  AgentResponse,
  ChangeSignatureBody,
  OrganizationDetailsResponse,
  OrganizationListResponse,
} from './workspace.dto.js';
import { WorkspaceQueries } from './workspace.queries.js';

@ApiTags('Organizations and agents')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations')
export class WorkspaceController {
  constructor(
    private readonly queries: WorkspaceQueries,
    private readonly directory: Directory,
    private readonly agents: Agents,
  ) {}

  /** List the organizations that the key sees. */
  @Get()
  async listOrganizations(@CalledBy() caller: Caller): Promise<OrganizationListResponse> {
    return { data: await this.queries.organizationsById([...caller.organizationIds]) };
  }

  /** Show an organization, with its time zone, region and business hours. */
  @Get(':organization_id')
  @Versioned()
  async getOrganization(@OrganizationId() id: string): Promise<OrganizationDetailsResponse> {
    const { organization_id, name, timezone, default_region, business_hours, version } =
      await this.directory.existingOrganization(id);
    return atVersion({ organization_id, name, timezone, default_region, business_hours }, version);
  }

  /** List the organization's agents, newest first. */
  @Get(':organization_id/agents')
  @ApiPage(AgentResponse)
  listAgents(
    @OrganizationId() organizationId: string,
    @Query() query: UpdatedPageQuery,
  ): Promise<Page<AgentResponse>> {
    return this.queries.listAgents(organizationId, query);
  }

  /** Show one agent. */
  @Get(':organization_id/agents/:agent_id')
  @Versioned()
  getAgent(
    @OrganizationId() organizationId: string,
    @Param('agent_id') agentId: string,
  ): Promise<AgentResponse> {
    return this.directory.existingAgent(organizationId, agentId);
  }

  /** Change the signature of the agent that the key is bound to; 403 `not_your_agent` for any other. */
  @Patch(':organization_id/agents/:agent_id')
  @Versioned()
  @ApiProblems(403)
  async changeSignature(
    @Ctx() context: Context,
    @OrganizationId() organizationId: string,
    @Param('agent_id') agentId: string,
    @Body() body: ChangeSignatureBody,
  ): Promise<AgentResponse> {
    await this.directory.existingAgent(organizationId, agentId);
    if (actingAgent(context) !== agentId)
      throw new Problem(403, 'not_your_agent', 'X-API-KEY: this key is not bound to the agent.');
    return this.agents.change(context, organizationId, agentId, body);
  }

  /** List the definitions of the organization's custom fields. */
  @Get(':organization_id/custom-fields')
  customFields(@OrganizationId() organizationId: string): Promise<CustomFieldsResponse> {
    return this.directory.customFields(organizationId);
  }
}
