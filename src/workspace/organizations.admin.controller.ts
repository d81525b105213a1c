import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { notFound } from '#http/problems/problem.js';
import { atVersion, Versioned } from '#http/versions/versioned.js';
import { Agents } from './agents.js';
import { Organizations } from './organizations.js';
import { CustomFields } from './custom-fields.js';
import { CUSTOM_FIELD_RECORDS, type CustomFieldRecord } from './custom-field.js';
import { Directory } from './workspace.directory.js';
import { CreateCustomFieldBody, CustomFieldResponse } from './custom-field.dto.js';
import {
  AdminOrganizationListResponse,
  AdminOrganizationResponse,
  AgentListResponse,
  AgentResponse,
  ChangeAgentBody,
  ChangeOrganizationBody,
  CreateAgentBody,
  CreateOrganizationBody,
  SolutionBody,
  SolutionResponse,
} from './workspace.dto.js';
import { type OrganizationRow, WorkspaceQueries } from './workspace.queries.js';

@ApiTags('Administration')
@ApiSecurity('admin-key')
@ApiProblems(400, 401, 404)
@Controller('admin/v1/organizations')
export class OrganizationsAdminController {
  constructor(
    private readonly organizations: Organizations,
    private readonly agents: Agents,
    private readonly customFields: CustomFields,
    private readonly directory: Directory,
    private readonly queries: WorkspaceQueries,
  ) {}

  /** Create an organization, with its four first pipeline stages and a legacy solution of the same name. */
  @Post()
  @Versioned()
  async create(
    @Ctx() context: Context,
    @Body() body: CreateOrganizationBody,
  ): Promise<AdminOrganizationResponse> {
    return shownOrganization(await this.organizations.create(context, body));
  }

  /** List all organizations, newest first. */
  @Get()
  async list(): Promise<AdminOrganizationListResponse> {
    return { data: (await this.queries.allOrganizations()).map(shownOrganization) };
  }

  /**
   * Change an organization's name or who is told of drafts to review.
   *
   * Fields left out stay. Time zone, region and business hours stay as they were given: figures and the keys that
   * contacts are matched by have been made with them.
   */
  @Patch(':organization_id')
  @Versioned()
  async change(
    @Ctx() context: Context,
    @OrganizationId() id: string,
    @Body() body: ChangeOrganizationBody,
  ): Promise<AdminOrganizationResponse> {
    await this.directory.existingOrganization(id);
    await this.organizations.change(context, id, body);
    return shownOrganization((await this.queries.organization(id))!);
  }

  /** Add an agent. */
  @Post(':organization_id/agents')
  @Versioned()
  async addAgent(
    @Ctx() context: Context,
    @OrganizationId() id: string,
    @Body() body: CreateAgentBody,
  ): Promise<AgentResponse> {
    await this.directory.existingOrganization(id);
    const agent = await this.organizations.addAgent(context, id, body);
    return atVersion(shown(agent), agent.version);
  }

  /** Change an agent's name, e-mail address or signature. Mails that were sent stay as they were. */
  @Patch(':organization_id/agents/:agent_id')
  @Versioned()
  async changeAgent(
    @Ctx() context: Context,
    @OrganizationId() id: string,
    @Param('agent_id') agentId: string,
    @Body() body: ChangeAgentBody,
  ): Promise<AgentResponse> {
    await this.directory.existingOrganization(id);
    return this.agents.change(context, id, agentId, body);
  }

  /** List the agents of an organization, newest first. */
  @Get(':organization_id/agents')
  async listAgents(@OrganizationId() id: string): Promise<AgentListResponse> {
    await this.directory.existingOrganization(id);
    const agents = await this.queries.agents(id);
    return { data: agents.map(shown) };
  }

  /** Add a legacy solution. */
  @Post(':organization_id/solutions')
  async addSolution(@OrganizationId() id: string, @Body() body: SolutionBody): Promise<SolutionResponse> {
    await this.directory.existingOrganization(id);
    return this.organizations.addSolution(id, body.name);
  }

  /** Define a custom field; its key is made from the label. */
  @Post(':organization_id/custom-fields/:record')
  @HttpCode(201)
  async defineCustomField(
    @Ctx() context: Context,
    @OrganizationId() id: string,
    @Param('record') record: string,
    @Body() body: CreateCustomFieldBody,
  ): Promise<CustomFieldResponse> {
    await this.directory.existingOrganization(id);
    if (!CUSTOM_FIELD_RECORDS.includes(record as CustomFieldRecord)) throw notFound('record_type', record);
    return this.customFields.define(context, id, record as CustomFieldRecord, body);
  }
}

const shownOrganization = ({ version, ...organization }: OrganizationRow): AdminOrganizationResponse =>
  atVersion(organization, version);

const shown = ({ agent_id, name, email, signature_html, updated_at }: AgentResponse): AgentResponse => ({
  agent_id,
  name,
  email,
  signature_html,
  updated_at,
});
