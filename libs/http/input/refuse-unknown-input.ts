import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { UnknownNames } from '#kernel/known.js';
import { invalid, type Problem } from '../problems/problem.js';
import { noObject } from './input.js';
import { readElsewhere } from './read-elsewhere.js';
import { configure, type Route } from '../routes.js';

/** Whether a route has a DTO for its query and its body. */
interface Taken {
  takesQuery: boolean;
  takesBody: boolean;
}

/**
 * Refuses query parameters and body fields on API routes that take none; on others the DTO decides. Also refuses queries
 * that are not UTF-8, and a PATCH without a body: nobody means to ask for nothing.
 */
export function refuseUntakenInput(server: FastifyInstance, routes: Route[]): void {
  for (const route of routes) {
    if (!/^(api|admin|console)\//.test(route.controllerPath)) continue;
    const taken: Taken = {
      takesQuery: route.parameters(RouteParamtypes.QUERY).length > 0,
      takesBody: route.parameters(RouteParamtypes.BODY).length > 0,
    };
    configure(route, taken);
  }
  // A hook, since a guard would cost every request more than all of this.
  server.addHook('preHandler', (request, _reply, done) => done(untaken(request)));
}

function untaken({ method, query, url, body, routeOptions }: FastifyRequest): Problem | undefined {
  const { takesQuery, takesBody } = routeOptions.config as Partial<Taken>;
  if (takesQuery !== undefined && (hasKeys(query as object) || isWrong(query))) {
    if (!takesQuery) return unknown(query as object, 'query parameter');
    if (!isDecodable(url)) return invalid([{ field: 'query', detail: 'must be percent-encoded UTF-8' }]);
  }
  if (takesBody && body === undefined && method === 'PATCH') return noObject();
  if (takesBody !== false || body === undefined || body === null) return undefined;
  // Many clients send an empty object when they have nothing to say.
  if (typeof body !== 'object' || Array.isArray(body))
    return invalid([{ field: 'body', detail: 'must be left out, or an empty JSON object' }]);
  return hasKeys(body) ? unknown(body, 'field') : undefined;
}

/** Whether it can be decoded. The server leaves other text as it is, and would search for that. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

const hasKeys = (given: object): boolean => {
  for (const _ in given) return true;
  return false;
};

const isWrong = (query: unknown): boolean => readElsewhere(query).problems.length > 0;

/** None is known but what was read elsewhere. */
function unknown(given: object, what: string): Problem {
  const { names, problems } = readElsewhere(given);
  const others = new UnknownNames(`is not a known ${what}`);
  return invalid([
    ...problems,
    ...Object.keys(given).map((field) => ({ field, detail: others.detail(names) })),
  ]);
}
