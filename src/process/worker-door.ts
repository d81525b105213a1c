import type { INestApplicationContext } from '@nestjs/common';
import { fastify } from 'fastify';
import { answerProblem } from '#http/problems/errors.js';
import { hasCode } from '#kernel/error-code.js';
import { Health, Metrics } from '../operations/operations.contract.js';

/** The door of a worker: where it listens, and how to close it. */
export interface WorkerDoor {
  url: string;
  close(): Promise<void>;
}

/**
 * Answers `GET /health/live`, `/health/ready` (also as `/health`) and `/metrics` as an API does, for whoever watches a process that
 * serves nothing else.
 */
export async function openWorkerDoor(
  app: INestApplicationContext,
  { port, host }: { port: number; host: string },
): Promise<WorkerDoor> {
  const health = app.get(Health);
  const { registry } = app.get(Metrics);
  const door = fastify({ forceCloseConnections: true });
  door.setErrorHandler(answerProblem);
  door.get('/health/live', () => health.live());
  for (const path of ['/health', '/health/ready']) door.get(path, () => health.ready());
  door.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  try {
    await door.listen({ port, host });
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    throw new Error(`Port ${port} is in use. Choose another one with WORKER_PORT.`, { cause: error });
  }
  const { port: taken } = door.server.address() as { port: number };
  return { url: `http://localhost:${taken}`, close: () => door.close() };
}
