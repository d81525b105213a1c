import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { later } from './clean-up.mjs';
import { median } from './report.mjs';
import { startBare, startParley, startPostgres } from './servers.mjs';

const LIMIT = 100;
/** What the noisy key tries, in units of its limit. */
const NOISE = 20;
const QUIET_PER_SECOND = 50;
const AT_MOST = 1.2;

/**
 * What the 99th percentile of a quiet key's times costs beside a key far over its limit, in units of what it is while as
 * many requests go to another server of the same machine, which whoever sends them shares; as a figure of the report.
 */
export async function noisyFigures({ rounds, seconds }) {
  process.stderr.write('noisy ');
  const { url, quiet, noisy, elsewhere } = await startWorkspace();
  const noise = fork(fileURLToPath(new URL('./noise.mjs', import.meta.url)));
  later(() => void noise.kill());
  const beside = async (target, requestsPerSecond) => {
    const silence = once(noise, 'message');
    noise.send({ url: target, headers: noisy, requestsPerSecond, seconds: seconds + 2 });
    // Until the noise has begun.
    await sleep(1_000);
    const times = await timesOf(url, quiet, seconds);
    const [told] = await silence;
    return { times, ...told };
  };
  await timesOf(url, quiet, seconds);
  const taken = [];
  for (let round = 0; round < rounds; round++) {
    const { times, sent, refused } = await beside(url, NOISE * LIMIT);
    if (refused < sent / 4) throw new Error(`of ${sent} noisy requests only ${refused} were refused`);
    const { times: others } = await beside(elsewhere, sent / (seconds + 2));
    taken.push([times, others].map(percentile99));
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  const ratios = taken.map(([noisily, quietly]) => noisily / quietly);
  const rates = [0, 1].map((side) => median(taken.map((times) => times[side])));
  return [
    {
      figure: { title: `p99 in us beside a key at ${NOISE} times its limit`, atMost: AT_MOST },
      ratio: rates[0] / rates[1],
      spread: [Math.min(...ratios), Math.max(...ratios)],
      rates,
    },
  ];
}

const percentile99 = (times) => [...times].sort((one, other) => one - other)[Math.floor(times.length * 0.99)];

/**
 * Microseconds that requests took, one after another at a steady pace; without those during which the host of a
 * virtual machine gave its processors to others, which is a hundredth of them by itself.
 */
async function timesOf(url, headers, seconds) {
  const agent = new Agent({ keepAlive: true });
  const times = [];
  for (let nr = 0; nr < seconds * QUIET_PER_SECOND; nr++) {
    const pause = sleep(1_000 / QUIET_PER_SECOND);
    const stolen = stolenTicks();
    const begun = performance.now();
    const [answer] = await once(get(url, { agent, headers }), 'response');
    await once(answer.resume(), 'end');
    if (answer.statusCode !== 200) throw new Error(`the quiet key was answered ${answer.statusCode}`);
    const time = (performance.now() - begun) * 1_000;
    if (stolenTicks() === stolen) times.push(time);
    await pause;
  }
  agent.destroy();
  return times;
}

/** See proc_stat(5). */
const stolenTicks = () => readFileSync('/proc/stat', 'utf8').split('\n', 1)[0].split(/\s+/)[8];

/** Two keys of one organization, the URL of a contact that both may read, and one of a server that is none of Parley's. */
async function startWorkspace() {
  const { url: databaseUrl } = await startPostgres();
  const parley = await startParley(databaseUrl, { env: { RATE_LIMIT_RPS: String(LIMIT) } });
  const post = async (path, headers, body) => {
    const answer = await fetch(`${parley.url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const operator = { 'x-admin-key': parley.adminKey };
  const { organization_id } = await post('/admin/v1/organizations', operator, { name: 'Noisy' });
  const newKey = async (name) => {
    const body = { name, organization_ids: [organization_id] };
    return { 'x-api-key': (await post('/admin/v1/api-keys', operator, body)).api_key };
  };
  const [quiet, noisy] = [await newKey('quiet'), await newKey('noisy')];
  const path = `/api/v2/organizations/${organization_id}/contacts`;
  const { contact_id } = await post(path, quiet, { name: 'Grace Hopper' });
  const { url: elsewhere } = await startBare(databaseUrl);
  return { url: `${parley.url}${path}/${contact_id}`, quiet, noisy, elsewhere };
}
