import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { REQUEST_LIMITS, limitConnections } from './connection-limits.js';
import { answerClientError } from '../problems/errors.js';

let server: FastifyInstance;
let answer: () => void;
let asked: Promise<unknown>;

/** A server of little patience, whose one route answers when it is told to. */
beforeEach(async () => {
  server = fastify({
    http: { headersTimeout: 200, connectionsCheckingInterval: 20 },
    requestTimeout: 5_000,
    clientErrorHandler: answerClientError,
    forceCloseConnections: 'idle',
  });
  limitConnections(server, { ...REQUEST_LIMITS, pause: 100 });
  const answering = new Promise<void>((resolve) => (answer = resolve));
  asked = new Promise((resolve) =>
    server.all('/', async () => {
      resolve(undefined);
      await answering;
      return { answered: true };
    }),
  );
  await server.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => server.close());

/** A connection that says this; it keeps its half open whatever the server does. */
async function saying(text: string): Promise<{ socket: Socket; received: () => string }> {
  const { port } = server.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (part) => (received += String(part)));
  socket.write(text);
  return { socket, received: () => received };
}

const freed = async (socket: Socket): Promise<void> => {
  while (!socket.closed) {
    // A write to what the server has destroyed is refused, which ends this half, too.
    if (socket.writable) socket.write(' ');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

describe('a connection that keeps the server waiting', () => {
  it.each([
    ['half a head', 'GET / HTTP/1.1\r\nHost: x\r\nX-Half', /^HTTP\/1.1 408 /],
    ['nothing', '', /^HTTP\/1.1 408 |^$/],
    [
      'a body that stops',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      /^$/,
    ],
  ])('is freed when it says %s', async (what, said, answered) => {
    const { socket, received } = await saying(said);
    const connections = () =>
      new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));
    while ((await connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    if (what === 'half a head') await freed(socket);
    expect(received()).toMatch(answered);
    socket.destroy();
  });
});

describe('a server that closes', () => {
  it('waits for the request under way, and for no connection that says nothing or half a head', async () => {
    const silent = [await saying(''), await saying('GET / HTTP/1.1\r\nHo')];
    const busy = await saying('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await asked;
    const closed = server.close();
    for (const { socket } of silent) await freed(socket);
    expect(busy.received()).toBe('');
    const ended = once(busy.socket, 'end');
    answer();
    await Promise.all([closed, ended]);
    expect(busy.received()).toMatch(/"answered":true/);
  });
});
