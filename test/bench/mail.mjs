import { spawn } from 'node:child_process';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { later } from './clean-up.mjs';
import { startHalf, startPostgres, unusedPort } from './servers.mjs';

const MAILS = 2_000;
const ORGANIZATIONS = 4;
const CONNECTIONS = 5 * ORGANIZATIONS;
const BODY = '<p>Shall we talk about it? See <a href="https://acme.example/blue">this</a>.</p>';

/** What of a bare loop's rate one worker reaches, for each queue that there is; as figures of the report. */
export async function mailFigures() {
  const sink = await startSink();
  const queues = [
    ['PostgreSQL', 0.35, undefined],
    ['Redis', 0.5, await startRedis()],
  ].filter(([name, , redisUrl]) => name === 'PostgreSQL' || redisUrl !== null);
  const results = [];
  for (const [name, atLeast, redisUrl] of queues) {
    process.stderr.write(`mail on ${name} `);
    const before = await bareRate(sink);
    const ours = await workerRate(sink, redisUrl);
    const bare = (before + (await bareRate(sink))) / 2;
    process.stderr.write('\n');
    const ratio = ours / bare;
    const title = `mails by one worker, queue on ${name}`;
    results.push({ figure: { title, atLeast }, ratio, spread: [ratio, ratio], rates: [ours, bare] });
  }
  return results;
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

/** Mails per second of a worker that finds them queued, from its first one to its last. */
async function workerRate(sink, redisUrl) {
  const { url: databaseUrl } = await startPostgres();
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, PARLEY_SECRET_KEY: 'ab'.repeat(32) };
  const port = await unusedPort();
  const api = await startHalf('api', { ...env, PORT: String(port) });
  const before = sink.taken();
  await queueMails(`http://127.0.0.1:${port}`, api.adminKey, sink.port);
  const worker = await startHalf('worker', env);
  await reached(() => sink.taken() > before);
  const started = performance.now();
  const first = sink.taken();
  await reached(() => sink.taken() >= before + MAILS);
  const rate = (sink.taken() - first) / ((performance.now() - started) / 1_000);
  await worker.stop();
  await api.stop();
  return rate;
}

async function queueMails(url, adminKey, smtpPort) {
  const send = async (method, path, headers, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const admin = { 'x-admin-key': adminKey };
  for (let nr = 0; nr < ORGANIZATIONS; nr++) {
    const { organization_id } = await send('POST', '/admin/v1/organizations', admin, { name: `Mail ${nr}` });
    await send('PUT', `/admin/v1/organizations/${organization_id}/channels/email`, admin, {
      provider: 'smtp',
      host: '127.0.0.1',
      port: smtpPort,
      from_address: `sales${nr}@acme.example`,
    });
    const { api_key } = await send('POST', '/admin/v1/api-keys', admin, {
      name: 'bench',
      organization_ids: [organization_id],
    });
    const each = MAILS / ORGANIZATIONS;
    for (let done = 0; done < each; done += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, one) =>
          send(
            'POST',
            `/api/v2/organizations/${organization_id}/message-drafts`,
            { 'x-api-key': api_key },
            {
              modality: 'email',
              subject: 'Your renewal',
              body_html: BODY,
              to_email: `grace${done + one}@navy.example`,
              autosend_draft: true,
              add_notification: false,
            },
          ),
        ),
      );
  }
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
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
