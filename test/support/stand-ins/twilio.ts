import { createServer, type Server as HttpServer } from 'node:http';
import { text as bodyOf } from 'node:stream/consumers';
import { type Json, ok, unique, type Workspace } from '../clients/client.js';

/** A text as it was asked to be sent. */
export interface AskedText {
  to: string;
  from: string;
  body: string;
  /** Everything else about the request. */
  path: string;
  authorization: string | undefined;
  sid: string;
}

/** An answer other than acceptance: a status with an error, a connection that breaks off, or no answer at all. */
export type TextRefusal =
  | { status: number; code?: number; message?: string }
  | 'another protocol'
  /** After it was taken, unlike the refusals above. */
  | 'drop'
  | 'hang'
  | 'half an answer'
  | 'an answer without end';

export interface TestTwilio {
  url: string;
  port: number;
  /** Texts that were taken, those whose acceptance got lost included. */
  texts: AskedText[];
  /** Every text that came in whole. */
  seen: AskedText[];
  /** Set it to refuse. */
  respond?: (text: AskedText) => TextRefusal | undefined | Promise<TextRefusal | undefined>;
  /** Set it to give every text this id. */
  sid?: string;
  close(): Promise<void>;
}

/** A server in this process that speaks the HTTP of Twilio's Messages resource. */
export async function startTwilio(port = 0): Promise<TestTwilio> {
  const server: HttpServer = createServer((request, response) => {
    void bodyOf(request).then(async (raw) => {
      const form = new URLSearchParams(raw);
      const sid = twilio.sid ?? unique('SM').replace('-', '');
      const text: AskedText = {
        to: form.get('To') ?? '',
        from: form.get('From') ?? '',
        body: form.get('Body') ?? '',
        path: `${request.method} ${request.url}`,
        authorization: request.headers.authorization,
        sid,
      };
      twilio.seen.push(text);
      const refusal = await twilio.respond?.(text);
      const answer = (status: number, body: object) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      };
      if (typeof refusal === 'object') return answer(refusal.status, { ...refusal });
      if (refusal === 'another protocol')
        return void request.socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
        );
      twilio.texts.push(text);
      if (refusal === undefined) return answer(201, { sid, status: 'queued', to: text.to, from: text.from });
      if (refusal === 'drop') return void request.socket.destroy();
      if (refusal === 'hang') return;
      if (refusal === 'an answer without end')
        return void response.writeHead(201, { 'content-type': 'application/json' }).write('{');
      response.writeHead(201, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"sid":"SM', () => request.socket.destroy());
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as { port: number };
  const twilio: TestTwilio = {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    texts: [],
    seen: [],
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return twilio;
}

/** Points the organization's text channel at a provider on this machine. */
export const textsBy = ({ adminApi }: Workspace, base_url: string): Promise<Json> =>
  ok(
    adminApi.put('channels/text', {
      provider: 'twilio',
      account_sid: 'AC1',
      auth_token: 'secret-of-AC1',
      from_number: '+12125550100',
      base_url,
    }),
  );
