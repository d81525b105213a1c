import type { FastifyInstance } from 'fastify';

/** The readiness is asked for every second, and its answer says by itself what is wrong. */
const NOT_WORTH_A_LINE = '/health/ready';
/** Server errors told in a second. A process whose output nobody reads would stop at its first full pipe. */
const MOST_ERRORS = 10;

/**
 * Logs a line for each answer with a server error, and with `all` or at `debug` for every answer, so that a request can be
 * found by its id. It logs the route's template instead of the URL, and no headers or bodies: they hold secrets and what
 * people wrote.
 */
export function logRequests(server: FastifyInstance, all: boolean): void {
  const isDebugging = ['debug', 'trace'].includes(server.log.level);
  const mayTell = fewInASecond(MOST_ERRORS);
  server.addHook('onResponse', (request, reply, done) => {
    done();
    const { id: request_id, method, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    const isError = reply.statusCode >= 500 && route !== NOT_WORTH_A_LINE;
    if (!all && !isDebugging && !(isError && mayTell())) return;
    const duration_ms = Math.round(reply.elapsedTime * 1_000) / 1_000;
    const level = isError ? 'warn' : all ? 'info' : 'debug';
    request.log[level](
      { request_id, method, route, status: reply.statusCode, duration_ms },
      'request answered',
    );
  });
}

/** Gives true `most` times in a second at most. */
export function fewInASecond(most: number, now = () => performance.now()): () => boolean {
  let [second, count] = [-1, 0];
  return () => {
    const current = Math.floor(now() / 1_000);
    if (current !== second) [second, count] = [current, 0];
    return ++count <= most;
  };
}
