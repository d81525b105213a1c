import type { FastifyInstance } from 'fastify';

/**
 * PostgreSQL's text cannot hold U+0000, so nothing has an id with it: in the parameters of a path U+FFFD takes its place, and what is
 * asked for is not found.
 */
export function keepPathsStorable(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const params = request.params as Record<string, string>;
    for (const [name, value] of Object.entries(params))
      if (value.includes('\u0000')) params[name] = value.replaceAll('\u0000', '\ufffd');
    done();
  });
}
