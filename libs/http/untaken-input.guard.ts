import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { invalid } from './problem.js';

/** Refuses query parameters and fields of a body where a route of the API takes none; where it takes some, their DTO knows which. */
@Injectable()
export class UntakenInputGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!/^\/(api|admin)\//.test(request.routeOptions.url ?? '')) return true;
    const { query, body } = request;
    if (Object.keys(query as object).length > 0 && !takes(context, RouteParamtypes.QUERY))
      refuse(query as object, 'query parameter');
    if (body !== undefined && body !== null && !takes(context, RouteParamtypes.BODY)) refuseBody(body);
    return true;
  }
}

/** Many clients send an empty object where there is nothing to say. */
function refuseBody(body: NonNullable<unknown>): void {
  if (typeof body !== 'object' || Array.isArray(body))
    throw invalid([{ field: 'body', detail: 'must be left out, or an empty JSON object' }]);
  refuse(body, 'field');
}

function refuse(given: object, what: string): void {
  const fields = Object.keys(given);
  if (fields.length > 0) throw invalid(fields.map((field) => ({ field, detail: `is not a known ${what}` })));
}

function takes(context: ExecutionContext, kind: RouteParamtypes): boolean {
  const { name } = context.getHandler();
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), name) ?? {}) as object;
  return Object.keys(parameters).some((key) => key.startsWith(`${kind}:`));
}
