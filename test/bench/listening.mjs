import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { later } from './clean-up.mjs';
import { median } from './report.mjs';
import { startParley, startPostgres } from './servers.mjs';

const LISTENERS = 1_000;
const PER_SECOND = 100;
/** Of so many requests one is a change, which all listeners get. */
const CHANGES = 5;
const AT_MOST = 1.2;

/**
 * What the 99th percentile of requests' times costs while 1,000 listeners follow the events of the organization, in units of
 * what it is without them; as a figure of the report.
 */
export async function listeningFigures({ rounds, seconds, profileDir }) {
  process.stderr.write('listening ');
  const { root, headers, contact } = await startWorkspace(profileDir);
  const listeners = fork(fileURLToPath(new URL('./listeners.mjs', import.meta.url)));
  later(() => void listeners.kill());
  const say = async (message) => {
    const answer = once(listeners, 'message');
    listeners.send(message);
    return (await answer)[0];
  };
  const beside = async (count) => {
    await say({ url: `${root}/events?after=latest`, headers, count });
    const times = await timesOf(`${root}/contacts/${contact}`, headers, seconds);
    // The last events are on their way.
    await sleep(1_500);
    const { fewest } = await say({});
    const changes = Math.ceil((seconds * PER_SECOND) / CHANGES);
    if (count > 0 && fewest !== changes) throw new Error(`a listener got ${fewest} of ${changes} events`);
    return percentile99(times);
  };
  await beside(LISTENERS);
  const taken = [];
  for (let round = 0; round < rounds; round++) {
    const run = [];
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) run[side] = await beside([LISTENERS, 0][side]);
    taken.push(run);
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  const ratios = taken.map(([listened, quiet]) => listened / quiet);
  const rates = [0, 1].map((side) => median(taken.map((run) => run[side])));
  return [
    {
      figure: { title: `p99 in us beside ${LISTENERS.toLocaleString('en')} listeners`, atMost: AT_MOST },
      ratio: rates[0] / rates[1],
      spread: [Math.min(...ratios), Math.max(...ratios)],
      rates,
    },
  ];
}

const percentile99 = (times) => [...times].sort((one, other) => one - other)[Math.floor(times.length * 0.99)];

/** Microseconds that requests took, begun at a steady pace: reads, and changes between them. */
async function timesOf(url, headers, seconds) {
  const agent = new Agent({ keepAlive: true });
  const times = [];
  const ask = async (nr) => {
    const isChange = nr % CHANGES === 0;
    const body = isChange ? JSON.stringify({ company_role: `Admiral ${nr}` }) : '';
    const type = isChange && { 'content-type': 'application/json', 'content-length': body.length };
    const begun = performance.now();
    const asked = request(url, {
      agent,
      method: isChange ? 'PATCH' : 'GET',
      headers: { ...headers, ...type },
    });
    asked.end(body);
    const [answer] = await once(asked, 'response');
    await once(answer.resume(), 'end');
    if (answer.statusCode !== 200) throw new Error(`a request was answered ${answer.statusCode}`);
    times.push((performance.now() - begun) * 1_000);
  };
  const asked = [];
  const begun = performance.now();
  for (let nr = 0; nr < seconds * PER_SECOND; nr++) {
    const early = begun + (nr * 1_000) / PER_SECOND - performance.now();
    if (early > 0) await sleep(early);
    asked.push(ask(nr));
  }
  await Promise.all(asked);
  agent.destroy();
  return times;
}

/** The URL of an organization, a key, and a contact. */
async function startWorkspace(profileDir) {
  const { url: databaseUrl } = await startPostgres();
  const { url, adminKey } = await startParley(databaseUrl, { profileDir });
  const post = async (path, headers, body) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const operator = { 'x-admin-key': adminKey };
  const { organization_id } = await post('/admin/v1/organizations', operator, { name: 'Heard' });
  const key = { name: 'Heard', organization_ids: [organization_id] };
  const headers = { 'x-api-key': (await post('/admin/v1/api-keys', operator, key)).api_key };
  const path = `/api/v2/organizations/${organization_id}`;
  const { contact_id } = await post(`${path}/contacts`, headers, { name: 'Grace Hopper' });
  return { root: `${url}${path}`, headers, contact: contact_id };
}
