import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyInstance } from 'fastify';
import type { Jobs } from './jobs.js';
import { TITLE } from '#config/product.js';

/** The pages load nothing from elsewhere. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'self'";

/** Serves BullMQ's dashboard at `path`, read-only: jobs are mere wake-ups, and operators retry deliveries instead. */
export async function showQueues(server: FastifyInstance, jobs: Jobs, path: string): Promise<void> {
  const board = new FastifyAdapter();
  board.setBasePath(path);
  createBullBoard({
    queues: jobs.opened.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false })),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: TITLE } },
  });
  await server.register(
    (scope, _options, done) => {
      scope.addHook('onSend', (_request, reply, _payload, next) => {
        void reply.header('content-security-policy', POLICY);
        next();
      });
      // The pages themselves would wait for Redis until it is back.
      scope.addHook('preHandler', async (_request, reply) => {
        if (!(await jobs.isUp()))
          await reply
            .status(503)
            .header('retry-after', '1')
            .type('text/plain')
            .send('The queue is away; try again shortly.');
      });
      scope.register(board.registerPlugin());
      done();
    },
    { prefix: path },
  );
}
