import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests that may wait on one connection; who sends more without reading answers is cut off. */
const MOST_WAITING = 100;

/**
 * Requests that a client sends without waiting for the answers (pipelining, RFC 9112, 9.3.2) are taken one by one, each when
 * the answer before it has been sent. Otherwise one connection could ask for any number of answers and read none of them.
 */
export function takeOneAtATime(server: FastifyInstance): void {
  /** What waits behind the request under way, by connection. */
  const waiting = new WeakMap<Socket, (() => void)[]>();

  server.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const begin = () => {
      reply.raw.once('close', () => {
        // Nobody would get the answers of those that wait on a connection that is gone.
        const next = socket.destroyed ? undefined : waiting.get(socket)!.shift();
        if (next) next();
        else waiting.delete(socket);
      });
      done();
    };
    const others = waiting.get(socket);
    if (others === undefined) {
      waiting.set(socket, []);
      begin();
    } else if (others.push(begin) > MOST_WAITING) socket.destroy();
  });
}
