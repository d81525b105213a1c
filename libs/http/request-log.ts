import type { FastifyInstance } from 'fastify';

/**
 * At `debug`, logs a line for each answer, so that a request can be found by its id. It logs the route's template instead
 * of the URL, and no headers or bodies: they hold secrets and what people wrote.
 */
export function logRequests(server: FastifyInstance): void {
  if (!['debug', 'trace'].includes(server.log.level)) return;
  server.addHook('onResponse', (request, reply, done) => {
    const { id: request_id, method, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    const duration_ms = Math.round(reply.elapsedTime * 1_000) / 1_000;
    request.log.debug(
      { request_id, method, route, status: reply.statusCode, duration_ms },
      'request answered',
    );
    done();
  });
}
