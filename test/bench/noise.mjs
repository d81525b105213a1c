// Sends requests at a steady rate until it is told to stop: a process of its own, so that it takes no time of who measures.
// Not by autocannon, which sends what is due in a second at once.
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const CONNECTIONS = 32;

process.on('message', async ({ url, headers, requestsPerSecond, seconds }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let [sent, answered, refused] = [0, 0, 0];
  const send = () => {
    sent++;
    get(url, { agent, headers }, (answer) => {
      if (answer.statusCode === 429) refused++;
      answer.resume().on('end', () => answered++);
    });
  };
  const begun = performance.now();
  for (let passed = 0; passed < seconds; passed = (performance.now() - begun) / 1_000) {
    while (sent < passed * requestsPerSecond && sent - answered < CONNECTIONS) send();
    await sleep(1);
  }
  while (answered < sent) await sleep(1);
  agent.destroy();
  process.send({ sent, refused });
});
process.on('disconnect', () => process.exit());
