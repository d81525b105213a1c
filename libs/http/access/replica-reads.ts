import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Replicas } from '#database/replicas/replicas.js';
import type { ApiRequest } from './caller.js';
import { isRead } from './reads.js';

/** Whom operators count as. They have one key. */
const OPERATORS = 'operators';

/** Route decorator: a GET below /admin that may be read from a replica. Below /api all are. */
export const FromReplica = () => RouteConfig({ fromReplica: true });

/**
 * Lets what a caller reads come from replicas that have what it has written, and notes where in the log it has written. Call it
 * after `guardKeys`: who asks is looked up on the primary.
 */
export function readFromReplicas(server: FastifyInstance, replicas: Replicas): void {
  server.addHook('preHandler', (request, reply, done) => {
    const asked = request as ApiRequest;
    const keyId = mayReadFromReplica(asked) ? keyOf(asked) : undefined;
    if (keyId === undefined) return done();
    const reading = replicas.read(keyId, done);
    // Work that a request has begun may go on, as what follows the events does.
    reply.raw.once('close', () => reading.leave());
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    const isKnown = reply.statusCode !== 401;
    const keyId = isKnown ? keyOf(request as ApiRequest) : undefined;
    if (keyId === undefined) return done(null, payload);
    if (isRead(request)) {
      replicas.noteRead(keyId);
      return done(null, payload);
    }
    // Whatever else the answer says: a request that fails may have written before.
    void replicas.noteWrite(keyId).then(() => done(null, payload));
  });
}

function mayReadFromReplica({ method, caller, routeOptions }: ApiRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return caller !== undefined || (routeOptions.config as { fromReplica?: boolean }).fromReplica === true;
}

function keyOf({ caller, routeOptions }: ApiRequest): string | undefined {
  return caller?.keyId ?? (routeOptions.url?.startsWith('/admin/v1/') ? OPERATORS : undefined);
}
