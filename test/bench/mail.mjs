import { spawn } from 'node:child_process';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { later } from './clean-up.mjs';
import { cpuSeconds } from './cpu.mjs';
import { median } from './report.mjs';
import { startHalf, startPostgres, unusedPort } from './servers.mjs';

const MAILS = 8_000;
/** Of these the worker's rate is taken once it has sent so many: by then it has compiled what it runs, as the bare loop has. */
const FIRST = 2_000;
const ORGANIZATIONS = 4;
const CONNECTIONS = 20 * ORGANIZATIONS;
/** Drafts that are sent one by one, to see how long each takes. */
const ALONE = 200;
const BODY = '<p>Shall we talk about it? See <a href="https://acme.example/blue">this</a>.</p>';

/**
 * What of a bare loop's rate one worker reaches, for each queue that there is, as figures of the report. Their CPU is that
 * of a mail, the receiving server included; their delays are those from the request that sends a draft to its
 * acceptance, while nothing else happens.
 */
export async function mailFigures(rounds, profileDir) {
  const sink = await startSink();
  const sides = [];
  for (const [queue, atLeast, redisUrl] of [
    ['PostgreSQL', 0.35, undefined],
    ['Redis', 0.5, await startRedis()],
  ])
    if (redisUrl !== null) sides.push({ queue, atLeast, runs: [], ...(await startSide(sink, redisUrl)) });
  for (let round = 0; round < rounds; round++) {
    process.stderr.write('mail ');
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      await queueMails(side);
      const pids = [process.pid, ...side.postgres];
      const bare = await measured(pids, () => bareRate(sink));
      side.runs.push([await measured(pids, () => workerRate(side, sink, profileDir)), bare]);
      process.stderr.write('.');
    }
  }
  process.stderr.write('\n');
  const results = [];
  for (const side of sides) results.push({ ...resultOf(side), ...(await delaysOf(side, sink)) });
  return results;
}

async function measured(pids, rateOf) {
  const before = cpuSeconds(pids);
  const rate = await rateOf();
  return { rate, cpu: ((cpuSeconds(pids) - before) * 1e6) / MAILS };
}

function resultOf({ queue, atLeast, runs }) {
  const ratios = runs.map(([ours, bare]) => ours.rate / bare.rate);
  const each = (key) => [0, 1].map((index) => median(runs.map((run) => run[index][key])));
  return {
    figure: { name: `mail-${queue}`, title: `mails by one worker, queue on ${queue}`, atLeast },
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    rates: each('rate'),
    cpu: each('cpu'),
  };
}

/** An SMTP server that takes everything and keeps nothing; both sides send to it. */
async function startSink() {
  let taken = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, _session, done) {
      stream.resume();
      stream.on('end', () => {
        taken++;
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => new Promise((resolve) => server.close(resolve)));
  return { port: server.server.address().port, taken: () => taken };
}

/** Mails per second of nodemailer's pool, with as many connections as the worker has. */
async function bareRate({ port }) {
  const pool = createTransport({
    pool: true,
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    maxConnections: CONNECTIONS,
    maxMessages: Infinity,
  });
  const started = performance.now();
  await Promise.all(
    Array.from({ length: MAILS }, (_, nr) =>
      pool.sendMail({
        from: 'sales@acme.example',
        to: `grace${nr}@navy.example`,
        subject: 'Your renewal',
        html: BODY,
        text: 'Shall we talk about it?',
      }),
    ),
  );
  pool.close();
  return MAILS / ((performance.now() - started) / 1_000);
}

/** An API on a database of its own, with organizations whose mail goes to the sink. */
async function startSide(sink, redisUrl) {
  const { url: databaseUrl, pids: postgres } = await startPostgres();
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, PARLEY_SECRET_KEY: 'ab'.repeat(32) };
  const port = await unusedPort();
  const { adminKey } = await startHalf('api', { ...env, PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  const admin = { 'x-admin-key': adminKey };
  const organizations = [];
  for (let nr = 0; nr < ORGANIZATIONS; nr++) {
    const { organization_id } = await send(url, 'POST', '/admin/v1/organizations', admin, {
      name: `Mail ${nr}`,
    });
    await send(url, 'PUT', `/admin/v1/organizations/${organization_id}/channels/email`, admin, {
      provider: 'smtp',
      host: '127.0.0.1',
      port: sink.port,
      from_address: `sales${nr}@acme.example`,
    });
    const body = { name: 'bench', organization_ids: [organization_id] };
    const { api_key } = await send(url, 'POST', '/admin/v1/api-keys', admin, body);
    organizations.push({ organization_id, api_key });
  }
  return { env, url, postgres, organizations };
}

/** Drafts a mail to somebody new that leaves at once. */
let people = 0;
const draftOne = ({ url }, { organization_id, api_key }) =>
  send(
    url,
    'POST',
    `/api/v2/organizations/${organization_id}/message-drafts`,
    { 'x-api-key': api_key },
    {
      modality: 'email',
      subject: 'Your renewal',
      body_html: BODY,
      to_email: `grace${people++}@navy.example`,
      autosend_draft: true,
      add_notification: false,
    },
  );

async function queueMails(side) {
  for (let done = 0; done < MAILS; done += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, nr) => draftOne(side, side.organizations[nr % ORGANIZATIONS])),
    );
}

/** Mails per second of a worker that finds them queued, from the end of its first ones to its last. */
async function workerRate({ env }, sink, profileDir) {
  const before = sink.taken();
  const worker = await startHalf('worker', env, profileDir);
  await reached(() => sink.taken() >= before + FIRST);
  const started = performance.now();
  const first = sink.taken();
  await reached(() => sink.taken() >= before + MAILS);
  const rate = (sink.taken() - first) / ((performance.now() - started) / 1_000);
  await worker.stop();
  return rate;
}

/** Milliseconds from the request to the acceptance, one draft after the other, API and worker being two processes. */
async function delaysOf(side, sink) {
  const worker = await startHalf('worker', side.env);
  const delays = [];
  for (let nr = 0; nr < ALONE; nr++) {
    const before = sink.taken();
    const started = performance.now();
    await draftOne(side, side.organizations[nr % ORGANIZATIONS]);
    await reached(() => sink.taken() > before);
    delays.push(performance.now() - started);
  }
  await worker.stop();
  const sorted = delays.toSorted((one, other) => one - other);
  return { p50: [Math.round(median(delays))], p99: [Math.round(sorted[Math.ceil(ALONE * 0.99) - 1])] };
}

async function send(url, method, path, headers, body) {
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** URL of a Redis of its own, or null where there is none. */
async function startRedis() {
  const port = await unusedPort();
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: 'ignore',
  });
  const started = await new Promise((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  if (started) later(() => void child.kill());
  return started ? `redis://127.0.0.1:${port}` : null;
}

async function reached(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}
