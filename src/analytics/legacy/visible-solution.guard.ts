import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { ApiRequest } from '#http/access/caller.js';
import { notFound } from '#http/problems/problem.js';
import { Directory, type SolutionRow } from '../../workspace/workspace.contract.js';

interface SolutionRequest extends ApiRequest {
  solution?: SolutionRow;
}

/** Looks for the solution in the path among those visible to the key, before the query is read; 404 for any other. */
@Injectable()
export class VisibleSolutionGuard implements CanActivate {
  constructor(private readonly directory: Directory) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SolutionRequest>();
    const id = request.params['solution_id'] ?? '';
    const visible = await this.directory.solutions(request.caller!.organizationIds);
    request.solution = visible.find(({ uuid }) => uuid === id.toLowerCase());
    if (request.solution) return true;
    throw notFound('solution', id);
  }
}

/** Parameter decorator: the organization of the solution that `VisibleSolutionGuard` has found. */
export const SolutionOrganization = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<SolutionRequest>().solution!.organization_id,
);
