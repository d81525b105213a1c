import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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

/** The way from the address of a page to /console, also where a proxy serves Parley below a path of its own. */
function above(request: FastifyRequest): string {
  const below = new URL(request.url, 'http://localhost').pathname.slice('/console'.length);
  return below === '' ? './console/' : '../'.repeat(below.split('/').length - 2) || './';
}
