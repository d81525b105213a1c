import type { FastifyInstance } from 'fastify';

/** What machines ask for every few seconds. */
const WATCHED = /^\/(health\/|metrics$)/;
/** Levels at which no answer is logged. */
const QUIET = ['warn', 'error', 'fatal', 'silent'];

/**
 * Logs a line for each answer, so that a request can be found by its id (decisions, section 3). It logs the route's template
 * instead of the URL, and no headers or bodies: they hold secrets and what people wrote.
 */
export function logRequests(server: FastifyInstance): void {
  if (QUIET.includes(server.log.level)) return;
  server.addHook('onResponse', (request, reply, done) => {
    const { id: request_id, method, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    const duration_ms = Math.round(reply.elapsedTime * 1_000) / 1_000;
    const level = WATCHED.test(route) ? 'debug' : 'info';
    request.log[level](
      { request_id, method, route, status: reply.statusCode, duration_ms },
      'request answered',
    );
    done();
  });
}
