import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { later } from './clean-up.mjs';
import { median } from './report.mjs';
import { startParley, startPostgres } from './servers.mjs';

const LIMIT = 100;
/** What the noisy key tries, in units of its limit. */
const NOISE = 20;
const QUIET_PER_SECOND = 50;
const AT_MOST = 1.2;

/** What the 99th percentile of a quiet key's times costs beside a key far over its limit; as a figure of the report. */
export async function noisyFigures({ rounds, seconds }) {
  process.stderr.write('noisy ');
  const { url, quiet, noisy } = await startWorkspace();
  const noise = fork(fileURLToPath(new URL('./noise.mjs', import.meta.url)));
  later(() => void noise.kill());
  const measure = () => percentile99(url, quiet, seconds);
  await measure();
  const taken = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await measure();
    const silence = once(noise, 'message');
    noise.send({ url, headers: noisy, requestsPerSecond: NOISE * LIMIT, seconds: seconds + 2 });
    // Until the noise has begun.
    await sleep(1_000);
    const beside = await measure();
    const [{ sent, refused }] = await silence;
    if (refused < sent / 2) throw new Error(`of ${sent} noisy requests only ${refused} were refused`);
    taken.push([beside, alone]);
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  const ratios = taken.map(([beside, alone]) => beside / alone);
  return [
    {
      figure: { title: `p99 in us beside a key at ${NOISE} times its limit`, atMost: AT_MOST },
      ratio: median(ratios),
      spread: [Math.min(...ratios), Math.max(...ratios)],
      rates: [0, 1].map((side) => median(taken.map((times) => times[side]))),
    },
  ];
}

/** Microseconds in which 99 of 100 requests were answered, one after another at a steady pace. */
async function percentile99(url, headers, seconds) {
  const agent = new Agent({ keepAlive: true });
  const times = [];
  for (let nr = 0; nr < seconds * QUIET_PER_SECOND; nr++) {
    const pause = sleep(1_000 / QUIET_PER_SECOND);
    const begun = performance.now();
    const [answer] = await once(get(url, { agent, headers }), 'response');
    await once(answer.resume(), 'end');
    if (answer.statusCode !== 200) throw new Error(`the quiet key was answered ${answer.statusCode}`);
    times.push((performance.now() - begun) * 1_000);
    await pause;
  }
  agent.destroy();
  return times.sort((one, other) => one - other)[Math.floor(times.length * 0.99)];
}

/** Two keys of one organization, and the URL of a contact that both may read. */
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
  return { url: `${parley.url}${path}/${contact_id}`, quiet, noisy };
}
