import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { ApiRequest } from '#http/access/caller.js';
import { Directory } from '../../workspace/workspace.contract.js';

/** Answers 404 when the agent in the path does not belong to the organization, before the query is read. */
@Injectable()
export class ExistingAgentGuard implements CanActivate {
  constructor(private readonly directory: Directory) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { organization_id = '', agent_id = '' } = context.switchToHttp().getRequest<ApiRequest>().params;
    await this.directory.existingAgent(organization_id, agent_id);
    return true;
  }
}
