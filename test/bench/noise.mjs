// Sends the same request at a steady rate until it is told to stop: a process of its own, so that it takes no time of who measures,
// and on bare sockets, since it shares the machine with what it is to disturb.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const CONNECTIONS = 32;

process.on('message', async ({ url, headers, requestsPerSecond, seconds }) => {
  const { host, hostname, port, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
  let [sent, answered, refused] = [0, 0, 0];
  const idle = [];
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    // Answers are far shorter than what comes at once.
    socket.on('data', (text) => {
      if (!text.startsWith('HTTP/1.1 ')) return;
      answered++;
      if (text.startsWith('HTTP/1.1 429')) refused++;
      idle.push(socket);
    });
    idle.push(socket);
    return socket;
  });
  const begun = performance.now();
  for (let passed = 0; passed < seconds; passed = (performance.now() - begun) / 1_000) {
    for (; sent < passed * requestsPerSecond && idle.length > 0; sent++) idle.pop().write(request);
    await sleep(1);
  }
  while (answered < sent) await sleep(1);
  for (const socket of sockets) socket.destroy();
  process.send({ sent, refused });
});
process.on('disconnect', () => process.exit());
