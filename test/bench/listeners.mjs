// Follows events on many connections until it is told to stop: a process of its own, so that it takes no time of who measures, and on
// bare sockets, since it shares the machine with what is measured.
import { connect } from 'node:net';

/** Opened at once. */
const OPENING = 50;
const MARK = '\nid: ';

let sockets = [];

process.on('message', async ({ url, headers, count }) => {
  if (url === undefined) {
    const fewest = sockets.reduce((least, { events }) => Math.min(least, events), Infinity);
    for (const socket of sockets) socket.destroy();
    sockets = [];
    return process.send({ fewest });
  }
  while (sockets.length < count)
    sockets.push(
      ...(await Promise.all(Array.from({ length: OPENING }, () => listen(new URL(url), headers)))),
    );
  process.send({ count });
});
process.on('disconnect', () => process.exit());

/** Resolves when events begin to come. */
function listen({ host, hostname, port, pathname, search }, headers) {
  const all = { host, accept: 'text/event-stream', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    Object.assign(socket, { events: 0, rest: '' });
    socket.on('error', reject);
    socket.on('data', (text) => {
      // A piece may end anywhere.
      const piece = socket.rest + text;
      socket.events += piece.split(MARK).length - 1;
      socket.rest = piece.slice(1 - MARK.length);
      resolve(socket);
    });
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`);
  });
}
