import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Milliseconds: for the head of a request, for all of it (a mail of 25 MiB at 90 kB a second), and for each pause within its
 * body. Node looks for those that are over time every few seconds.
 */
export const REQUEST_LIMITS = { head: 20_000, whole: 300_000, pause: 30_000, lookEvery: 5_000 };

/**
 * Cuts off bodies that do not come, and, when the server closes, connections on which no request is under way: of those that
 * say nothing, or half a head, nobody waits for an answer. Call it before other hooks.
 */
export function limitConnections(server: FastifyInstance, { pause } = REQUEST_LIMITS): void {
  /** How many requests are under way on each open connection. */
  const underWay = new Map<Socket, number>();
  const count = (socket: Socket, by: number) => {
    const requests = underWay.get(socket);
    if (requests !== undefined) underWay.set(socket, requests + by);
  };

  server.server.on('connection', (socket: Socket) => {
    underWay.set(socket, 0);
    socket.once('close', () => underWay.delete(socket));
  });
  server.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    count(socket, 1);
    reply.raw.once('close', () => count(socket, -1));
    done();
  });
  server.addHook('preParsing', ({ raw }, _reply, payload, done) => {
    raw.socket.setTimeout(pause);
    done(null, payload);
  });
  server.addHook('preValidation', ({ raw }, _reply, done) => {
    raw.socket.setTimeout(0);
    done();
  });
  server.addHook('preClose', (done) => {
    for (const [socket, requests] of underWay) if (requests === 0) socket.destroy();
    done();
  });
}
