import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { examinePort } from './machine.js';

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** The port of what listens at that host. */
async function listening(server: Server, host: string): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

const api = () => createHttp((_request, answer) => answer.setHeader('x-request-id', 'request').end());
const smtp = (greeting: string) => createServer((socket) => socket.end(`${greeting}\r\n`));

describe('the doctor of a port', () => {
  it.each(['127.0.0.1', '127.0.0.2', '0.0.0.0', '::1', '::', 'localhost'])(
    'knows an API at %s',
    async (host) => {
      const port = await listening(api(), host);
      expect(await examinePort('PORT', port, host)).toMatchObject({
        verdict: 'ok',
        detail: `Parley listens on ${port}`,
      });
    },
  );

  it('knows Parley by the greeting of its SMTP listener', async () => {
    const port = await listening(smtp('220 mx.acme.example ESMTP Parley'), '::1');
    expect(await examinePort('INBOUND_SMTP_PORT', port, '::1')).toMatchObject({
      verdict: 'ok',
      detail: `Parley listens on ${port}`,
    });
  });

  it.each([
    ['PORT', smtp('220 mx.acme.example ESMTP Parley')],
    ['INBOUND_SMTP_PORT', smtp('220 mx.acme.example ESMTP Postfix')],
    ['INBOUND_SMTP_PORT', api()],
  ] as const)('takes what answers otherwise on %s for another program', async (variable, server) => {
    const port = await listening(server, '127.0.0.1');
    expect(await examinePort(variable, port, '127.0.0.1')).toMatchObject({
      verdict: 'error',
      detail: `${port} is taken by another program`,
    });
  });
});
