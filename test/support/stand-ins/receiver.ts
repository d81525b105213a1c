import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { type Client, type Json, ok } from '../clients/client.js';
import { until } from '../until.js';

/** One request that came in, whatever was answered. */
export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  /** As it came off the wire. */
  raw: string;
  event: Json;
}

/** What the receiver does with a request; nothing is 204. */
type Respond = (received: Received, response: ServerResponse, nth: number) => void;

/** An endpoint in this process that keeps what is posted to it. */
export interface TestReceiver {
  url: string;
  seen: Received[];
  /** Set it to answer otherwise than by 204. */
  respond: Respond | undefined;
  /** What has come in, once there are so many. */
  waitFor(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** Over https where it is given a certificate and its key. */
export async function startReceiver(tls?: { cert: string; key: string }): Promise<TestReceiver> {
  const sockets = new Set<Socket>();
  const receiver: TestReceiver = {
    url: '',
    seen: [],
    respond: undefined,
    async waitFor(count) {
      await until(() => receiver.seen.length >= count);
      return receiver.seen;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  const receive: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      const { headers } = request;
      const received = { id: String(headers['webhook-id']), headers, raw, event: JSON.parse(raw) };
      receiver.seen.push(received);
      if (receiver.respond) receiver.respond(received, response, receiver.seen.length);
      else response.writeHead(204).end();
    });
  };
  const server = tls ? createTlsServer(tls, receive) : createServer(receive);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as { port: number }).port}/hook?of=tests`;
  return receiver;
}

/** Answers by a status, with headers. */
export const answering =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (_, response) =>
    response.writeHead(status, headers).end();

/** What the library of the specification makes of it: the event, or a throw where no signature fits. */
export const verified = (secret: string, { raw, headers }: Received): Json =>
  new Webhook(secret).verify(raw, headers as Record<string, string>);

/** Sets a webhook up; gives it with its secret. */
export const newWebhook = (adminApi: Client, body: object): Promise<Json> =>
  ok(adminApi.post('webhooks', body));
