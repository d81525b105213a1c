import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { SmtpSessions } from './smtp-sessions.js';

/** An SMTP server with these limits on its sessions, and where it listens. */
async function startWith(limits: { mostOfAddress: number; longestMs: number }) {
  const sessions = new SmtpSessions(() => server.connections, limits);
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (session, done) =>
      done(sessions.begin(session) ? null : Object.assign(new Error('too many'), { responseCode: 421 })),
    onClose: (session) => sessions.end(session),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { port, close: () => new Promise<void>((resolve) => server.close(resolve)) };
}

/** A client and the first line that it is told. */
async function greeted(port: number): Promise<{ socket: Socket; line: string }> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const [line] = (await once(socket, 'data')) as [Buffer];
  return { socket, line: String(line) };
}

describe('SMTP sessions', () => {
  it('are so many of an address at a time, and no more', async () => {
    const server = await startWith({ mostOfAddress: 2, longestMs: 60_000 });
    const [first, second] = [await greeted(server.port), await greeted(server.port)];
    const third = await greeted(server.port);
    expect([first, second, third].map(({ line }) => line.slice(0, 3))).toEqual(['220', '220', '421']);
    first.socket.destroy();
    let next = await greeted(server.port);
    while (!next.line.startsWith('220')) next = await greeted(server.port);
    for (const { socket } of [second, next]) socket.destroy();
    await server.close();
  });

  it('end after their time, whatever is said', async () => {
    const server = await startWith({ mostOfAddress: 2, longestMs: 100 });
    const { socket, line } = await greeted(server.port);
    expect(line).toMatch(/^220/);
    const saying = setInterval(() => socket.write('NOOP\r\n'), 10);
    await once(socket.resume(), 'close');
    clearInterval(saying);
    await server.close();
  });
});
