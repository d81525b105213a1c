import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuSeconds } from './cpu.mjs';
import { mboxOf, threads } from './doors-data.mjs';
import { median } from './report.mjs';
import { nodeOptions, startHalf, startPostgres, temporaryDirectory, unusedPort } from './servers.mjs';

const CONNECTIONS = 32;
/** Messages of a round, for each way in. */
const COUNTS = { one: 400, many: 2_000, import: 20_000 };

/**
 * How fast messages come in: by the API and as mails by the MIME door, over 32 connections and over one, and by the import
 * of an mbox, from its first mails to its last. No worker makes read models meanwhile. CPU is that of a message.
 */
export async function doorsFigures(rounds, profileDir) {
  const side = await startSide(profileDir);
  const ways = {
    api: (mails) => post(side, 'api', mails, 1),
    api32: (mails) => post(side, 'api', mails, CONNECTIONS),
    mime: (mails) => post(side, 'mime', mails, 1),
    mime32: (mails) => post(side, 'mime', mails, CONNECTIONS),
    mbox: (mails) => importMbox(side, mails, profileDir),
  };
  const counts = {
    api: COUNTS.one,
    api32: COUNTS.many,
    mime: COUNTS.one,
    mime32: COUNTS.many,
    mbox: COUNTS.import,
  };
  const taken = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
  process.stderr.write('doors ');
  // Once before it counts.
  for (const way of ['api32', 'mime32']) await ways[way](threads(COUNTS.one));
  for (let round = 0; round < rounds; round++) {
    const order = Object.keys(ways);
    for (const way of round % 2 === 0 ? order : order.toReversed()) {
      const mails = threads(counts[way]);
      const pids = [way === 'mbox' ? process.pid : side.pid, ...side.postgres];
      const before = cpuSeconds(pids);
      const started = performance.now();
      const rate = (await ways[way](mails)) ?? mails.length / ((performance.now() - started) / 1_000);
      taken[way].push({ rate, cpu: ((cpuSeconds(pids) - before) * 1e6) / mails.length });
    }
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return [
    figure('api', 'messages by API, 32 connections against one', taken.api32, taken.api),
    figure('mime', 'mails by MIME door, 32 connections against one', taken.mime32, taken.mime),
    figure('mbox', 'mails by mbox import against API, one connection', taken.mbox, taken.api, 5),
    figure('mbox32', 'mails by mbox import against API, 32 connections', taken.mbox, taken.api32),
  ];
}

function figure(name, title, ours, theirs, atLeast = 1) {
  const ratios = ours.map(({ rate }, round) => rate / theirs[round].rate);
  const each = (key) => [ours, theirs].map((runs) => median(runs.map((run) => run[key])));
  return {
    figure: { name: `doors-${name}`, title, atLeast },
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    rates: each('rate'),
    cpu: each('cpu'),
  };
}

/** An API with one organization that takes mail in. */
async function startSide(profileDir) {
  const { url: databaseUrl, pids: postgres } = await startPostgres();
  const port = await unusedPort();
  const env = { DATABASE_URL: databaseUrl, PARLEY_SECRET_KEY: 'ab'.repeat(32) };
  const { adminKey, pid } = await startHalf('api', { ...env, PORT: String(port) }, profileDir);
  const url = `http://127.0.0.1:${port}`;
  const admin = (method, path, body) =>
    send(new Agent(), url, method, `/admin/v1/${path}`, { 'x-admin-key': adminKey }, JSON.stringify(body));
  const { organization_id } = await admin('POST', 'organizations', { name: 'InboundMessages' });
  const { api_key } = await admin('POST', 'api-keys', { name: 'bench', organization_ids: [organization_id] });
  const { hooks } = await admin('PUT', `organizations/${organization_id}/channels/email`, {
    provider: 'smtp',
    host: '127.0.0.1',
    port: 25,
    from_address: 'sales@acme.example',
  });
  const { pathname, search } = new URL(hooks.email);
  return {
    env,
    url,
    pid,
    postgres,
    organization_id,
    api: { path: `/api/v2/organizations/${organization_id}/messages`, headers: { 'x-api-key': api_key } },
    mime: { path: pathname + search, headers: { 'content-type': 'message/rfc822' } },
  };
}

/** Posts each mail, those of a thread one after the other, over so many connections. */
async function post(side, door, mails, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { path, headers } = side[door];
  const shares = Array.from({ length: connections }, () => []);
  for (const mail of mails) shares[mail.thread % connections].push(mail);
  await Promise.all(
    shares.map(async (share) => {
      for (const mail of share)
        await send(
          agent,
          side.url,
          'POST',
          path,
          headers,
          door === 'api' ? JSON.stringify(mail.body) : mail.raw,
        );
    }),
  );
  agent.destroy();
}

/** Runs `import mbox` on a file of the mails, and gives the mails per second once it has recorded the first ones. */
async function importMbox({ env, organization_id }, mails, profileDir) {
  const path = join(temporaryDirectory(), 'mails.mbox');
  writeFileSync(path, mboxOf(mails));
  const cli = fileURLToPath(new URL('../../dist/bin/cli.js', import.meta.url));
  const child = spawn(
    process.execPath,
    [...nodeOptions('cli', profileDir), cli, 'import', 'mbox', path, '--organization', organization_id],
    { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  const progress = [];
  child.stderr.on('data', (text) => {
    const done = /\r(\d+) mails$/.exec(text)?.[1];
    if (done) progress.push({ done: Number(done), at: performance.now() });
  });
  await once(child, 'close');
  if (JSON.parse(output).created !== mails.length) throw new Error(`import mbox: ${output}`);
  const [first, last] = [progress[0], progress.at(-1)];
  return (last.done - first.done) / ((last.at - first.at) / 1_000);
}

/** One request; its answer must be a success. */
function send(agent, url, method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const asked = request(url + path, {
      agent,
      method,
      headers: { 'content-type': 'application/json', ...headers, 'content-length': Buffer.byteLength(body) },
    });
    asked.on('error', reject);
    asked.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece) => (text += piece));
      answer.on('end', () => {
        if (answer.statusCode >= 300) reject(new Error(`${path}: ${answer.statusCode} ${text}`));
        else resolve(JSON.parse(text));
      });
    });
    asked.end(body);
  });
}
