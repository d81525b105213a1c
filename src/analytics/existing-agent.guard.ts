import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { ParleyRequest } from '#http/caller.js';
import { Directory } from '../workspace/workspace.contract.js';

/** Answers 404 for an agent in the path who is none of the organization's, before the query is looked at. */
@Injectable()
export class ExistingAgentGuard implements CanActivate {
  constructor(private readonly directory: Directory) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { organization_id = '', agent_id = '' } = context.switchToHttp().getRequest<ParleyRequest>().params;
    await this.directory.existingAgent(organization_id, agent_id);
    return true;
  }
}
