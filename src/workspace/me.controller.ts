import { Controller, Get } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { CalledBy, type Caller } from '#http/access/caller.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { MeResponse, OwnAgentResponse } from './me.dto.js';
import { Directory } from './workspace.directory.js';
import { OrganizationResponse } from './workspace.dto.js';
import { WorkspaceQueries } from './workspace.queries.js';

@ApiTags('Organizations and agents')
@ApiSecurity('api-key')
@ApiProblems(400, 401)
@Controller('api/v2/me')
export class MeController {
  constructor(
    private readonly queries: WorkspaceQueries,
    private readonly directory: Directory,
  ) {}

  /** Show the key of the request: what it may do, for which agent, in which organizations. */
  @Get()
  async show(@CalledBy() caller: Caller): Promise<MeResponse> {
    const [key, organizations] = await Promise.all([
      this.queries.apiKey(caller.keyId),
      this.queries.organizationsById([...caller.organizationIds]),
    ]);
    const { key_id, name, read_only, expires_at, agent_id } = key!;
    const scopes = read_only ? ['read'] : ['read', 'write', 'send'];
    const agent = await this.agentOf(agent_id, organizations);
    return { key: { key_id, name, scopes, read_only, expires_at }, agent, organizations };
  }

  /** The agent of the key, in the organization that has it. */
  private async agentOf(
    agentId: string | null,
    organizations: OrganizationResponse[],
  ): Promise<OwnAgentResponse | null> {
    if (agentId === null) return null;
    for (const { organization_id } of organizations) {
      const agent = await this.directory.findAgent(organization_id, agentId);
      if (agent) return { agent_id: agentId, name: agent.name, organization_id };
    }
    return null;
  }
}
