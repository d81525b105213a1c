import type { FastifyInstance } from 'fastify';
import { answerProblem } from '../problems/errors.js';
import { invalid } from '../problems/problem.js';

/**
 * Refuses paths with U+0000, as those that cannot be decoded: PostgreSQL's text cannot hold it, and without it, or with another
 * character in its place, the path would name something else.
 */
export function refuseNulInPath(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    const [path] = request.url.split('?', 1);
    if (path!.includes('%00')) answerProblem(HAS_NUL, request, reply);
    else done();
  });
}

const HAS_NUL = invalid([{ field: 'path', detail: 'must not contain the NUL character' }]);
