import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerProblem } from '#http/problems/errors.js';
import { ROOT } from '#config/product.js';
import { CONSOLE_POLICY, mailFrame, mailPolicy } from './console-policies.js';

/** What `npm run build` has made of the pages. */
const BUILT = join(ROOT, 'dist/console');
const HTML = 'text/html; charset=utf-8';
const POLICY = 'content-security-policy';

/**
 * Serves the pages at /console, which call the API as any other client does. Every path below it is the same page, which reads
 * the path itself, so that each state has an address.
 */
export async function serveConsole(server: FastifyInstance): Promise<void> {
  const index = readFileSync(join(BUILT, 'index.html'), 'utf8');
  await server.register(async (scope) => {
    // Nest's own is for its routes.
    scope.setErrorHandler(answerProblem);
    await scope.register(files, {
      root: join(BUILT, 'assets'),
      prefix: '/console/assets/',
      decorateReply: false,
      wildcard: false,
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
    });
    for (const path of ['/console', '/console/*'])
      scope.get(path, (request, reply) =>
        reply
          .type(HTML)
          .headers({ [POLICY]: CONSOLE_POLICY, 'cache-control': 'no-cache' })
          .send(index.replaceAll('./assets/', `${above(request)}assets/`)),
      );
    // Of another build: its page is asked for again.
    scope.get('/console/assets/*', (_request, reply) => reply.callNotFound());
    scope.get('/console/mail-frame', (request, reply) => {
      const withImages = (request.query as { images?: unknown }).images === 'true';
      return reply.type(HTML).header(POLICY, mailPolicy(withImages)).send(mailFrame);
    });
  });
}

/** The way from the address of a page, as it is written, to /console, also where a proxy serves Parley below a path of its own. */
function above({ url }: FastifyRequest): string {
  const [path = ''] = url.split('?');
  const depth = path.split('/').length - 2;
  return depth === 0 ? './console/' : '../'.repeat(depth - 1) || './';
}
