import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { invalid } from './problem.js';

/** Refuses query parameters where a route of the API takes none; where it takes some, their DTO knows which. */
@Injectable()
export class NoQueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const given = Object.keys(request.query as object);
    if (given.length === 0 || !/^\/(api|admin)\//.test(request.routeOptions.url ?? '')) return true;
    if (takesQuery(context)) return true;
    throw invalid(given.map((field) => ({ field, detail: 'is not a known query parameter' })));
  }
}

function takesQuery(context: ExecutionContext): boolean {
  const { name } = context.getHandler();
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), name) ?? {}) as object;
  return Object.keys(parameters).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}
