import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, URLSearchParams } from 'node:url';
import autocannon from 'autocannon';
import pg from 'pg';
import { AGENTS, MESSAGES_EACH, prepareHistory, preparePlainRows, YEAR } from './analytics-data.mjs';
import { plainFigures } from './analytics-plain.mjs';
import { median } from './report.mjs';
import { nodeOptions, startParley, startPostgres } from './servers.mjs';

const DAY = { start_date: '2025-06-17T00:00:00Z', end_date: '2025-06-18T00:00:00Z' };
const RAGGED = { start_date: '2025-01-01T00:17:31.4Z', end_date: '2025-12-31T22:41:07.25Z' };
const ROUNDS = 7;
const CALLS = 20;
/** A 99th percentile wants some hundred looks. */
const LEAST_RECORDING_S = 20;
const KEPT = new Agent({ keepAlive: true });

/** Builds the figures of a year of so many conversations and asks for them; prints what it measures. */
export async function analyticsFigures({ conversations, seconds }) {
  const { url: databaseUrl } = await startPostgres();
  const parley = await startParley(databaseUrl);
  const { organizationId, agentIds, get, post } = await workspace(parley);
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  // Once a projection has read anything it is past the events to come, whose transaction is an old one.
  await post(`/api/v2/organizations/${organizationId}/messages`, messageBody(0));
  await readOn(client);
  say(`${conversations} conversations of ${MESSAGES_EACH} messages: writing the events`);
  await prepareHistory(databaseUrl, { organizationId, agentIds, conversations });
  const lines = [['figure', 'value', 'goal', '']];
  const add = (figure, value, goal, reached) => lines.push([figure, value, goal, reached ? 'ok' : 'short']);

  try {
    say('rebuilding');
    const alone = await rebuild(databaseUrl);
    add('rebuild, events per second', perSecond(alone), '>= 30,000', rateOf(alone) >= 30_000);
    say('rebuilding, while a writer records');
    const lag = await lagWhile(client, async () => {
      const writer = write(post, organizationId);
      lines.push(['  beside a writer', perSecond(await rebuild(databaseUrl)), '', '']);
      await writer.stop();
    });
    add('  lag of the live projections meanwhile, p99', `${lag.toFixed(2)} s`, '<= 2 s', lag <= 2);

    say('making rows for plain SQL');
    await preparePlainRows(databaseUrl);
    const v2 = [];
    for (const [path, statements] of plainFigures(agentIds[0])) {
      const ask = (window) => () => get(`/api/v2/organizations/${organizationId}/${path}`, window);
      const [year, day, ragged] = await inTurns([ask(YEAR), ask(DAY), ask(RAGGED)]);
      const plain = await timed(() =>
        plainly(client, statements, [organizationId, ...Object.values(YEAR), agentIds[0]]),
      );
      const name = path.replace(agentIds[0], '{agent_id}');
      add(`${name}: plain SQL / one year`, (plain / year).toFixed(0), '>= 50', plain / year >= 50);
      add('  one year / one day', (year / day).toFixed(2), '<= 3', year / day <= 3);
      add(
        `  one ragged year (${ragged.toFixed(2)} ms) / one day (${day.toFixed(2)} ms)`,
        (ragged / day).toFixed(2),
        '<= 3',
        ragged / day <= 3,
      );
      v2.push(year);
      say(`${name}: year ${year.toFixed(2)} ms, day ${day.toFixed(2)} ms, plain ${plain.toFixed(0)} ms`);
    }
    const [{ uuid }] = await get('/api/v1/solutions', {});
    const [legacy, whole] = await inTurns([
      () => get(`/api/v1/solutions/${uuid}/analytics`, YEAR),
      () => get(`/api/v2/organizations/${organizationId}/analytics/conversations`, YEAR),
    ]);
    add(
      `v1 (${legacy.toFixed(1)} ms) / v2, one year`,
      (legacy / whole).toFixed(2),
      '<= 5',
      legacy / whole <= 5,
    );

    say('recording over 32 connections');
    let rate;
    const behind = await lagWhile(client, async () => {
      rate = await record(post.url, organizationId, post.headers, Math.max(seconds, LEAST_RECORDING_S));
    });
    add(
      `lag at ${Math.round(rate)} recorded messages/s, p99`,
      `${behind.toFixed(2)} s`,
      '<= 2 s',
      behind <= 2,
    );
  } finally {
    await client.end();
  }
  return table(lines);
}

async function workspace({ url, adminKey }) {
  const call = async (method, path, headers, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const administer = (path, body) => call('POST', `/admin/v1/${path}`, { 'x-admin-key': adminKey }, body);
  const { organization_id: organizationId } = await administer('organizations', {
    name: 'Year',
    timezone: 'America/New_York',
  });
  const agentIds = [];
  while (agentIds.length < AGENTS) {
    const { agent_id } = await administer(`organizations/${organizationId}/agents`, {
      name: `Agent ${agentIds.length}`,
    });
    agentIds.push(agent_id);
  }
  const { api_key } = await administer('api-keys', { name: 'bench', organization_ids: [organizationId] });
  const headers = { 'x-api-key': api_key };
  const post = (path, body) => call('POST', path, headers, body);
  return {
    organizationId,
    agentIds,
    get: (path, query) => read(`${url}${path}?${new URLSearchParams(query)}`, headers),
    post: Object.assign(post, { url, headers }),
  };
}

/** An answer by a connection that stays: `fetch` would take longer than some of them. */
async function read(url, headers) {
  const [answer] = await once(request(url, { agent: KEPT, headers }).end(), 'response');
  const body = await json(answer);
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${JSON.stringify(body)}`);
  return body;
}

/** Runs the command line's rebuild; gives the number of events and the seconds from its start to its end. */
async function rebuild(databaseUrl) {
  const cli = fileURLToPath(new URL('../../dist/bin/cli.js', import.meta.url));
  const began = performance.now();
  const output = await new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
    const child = execFile(
      process.execPath,
      [...nodeOptions('cli'), cli, 'rebuild', 'analytics'],
      { env },
      (error, _, stderr) => (error ? reject(error) : resolve(stderr)),
    );
    child.stderr.pipe(process.stderr);
  });
  const took = (performance.now() - began) / 1_000;
  return { events: Number(/rebuilt from (\d+) events/.exec(output)[1]), took };
}

const rateOf = ({ events, took }) => events / took;
const perSecond = (rebuilt) => Math.round(rateOf(rebuilt)).toLocaleString('en');

const messageBody = (nr) => ({
  modality: 'text',
  message_direction: nr % 2 ? 'sent' : 'received',
  content: 'Shall we talk about the renewal?',
  contact: { email: `person${nr % 5_000}@navy.example` },
});

/** Resolves when the figures have read something. */
async function readOn(client) {
  for (;;) {
    const { rowCount } = await client.query(`SELECT FROM es_checkpoint WHERE projection = 'analytics'`);
    if (rowCount > 0) return;
    await sleep(50);
  }
}

/** Records some twenty messages a second until it is stopped. */
function write(post, organizationId) {
  let stopped = false;
  const writing = (async () => {
    for (let nr = 0; !stopped; nr++) {
      await post(`/api/v2/organizations/${organizationId}/messages`, messageBody(nr));
      await sleep(50);
    }
  })();
  return {
    stop() {
      stopped = true;
      return writing;
    },
  };
}

/** Messages that are recorded per second over 32 connections. */
async function record(url, organizationId, headers, seconds) {
  let nr = 0;
  const result = await autocannon({
    url,
    connections: 32,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        path: `/api/v2/organizations/${organizationId}/messages`,
        headers: { ...headers, 'content-type': 'application/json' },
        setupRequest: (request) => ({ ...request, body: JSON.stringify(messageBody(nr++)) }),
      },
    ],
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx + result.errors} messages were not recorded`);
  return result['2xx'] / result.duration;
}

/** The 99th percentile of the age, in seconds, of the first event that a projection has not read, while work is done. */
async function lagWhile(client, work) {
  const lags = [];
  let running = true;
  const watching = (async () => {
    while (running) {
      const { rows } = await client.query(
        `SELECT coalesce(max(greatest(0, extract(epoch FROM clock_timestamp() - first.occurred_at))), 0)::float8 AS lag
           FROM es_checkpoint c, LATERAL (
                SELECT occurred_at FROM es_event e WHERE (e.tx, e.position) > (c.tx, c.position)
                 ORDER BY e.tx, e.position LIMIT 1) first`,
      );
      lags.push(rows[0].lag);
      // Not more often: to look costs what is looked at.
      await sleep(100);
    }
  })();
  await work().finally(() => (running = false));
  await watching;
  return lags.sort((one, other) => one - other)[Math.floor(lags.length * 0.99)];
}

/** Median milliseconds of each, called in turns so that what drifts hits all. */
async function inTurns(asks) {
  const taken = asks.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, ask] of asks.entries())
      for (let nr = 0; nr < CALLS; nr++) taken[index].push(await timed(ask));
  return taken.map((times) => median(times.slice(CALLS)));
}

async function plainly(client, statements, values) {
  for (const text of statements)
    await client.query(
      text,
      values.slice(0, Math.max(...text.match(/\$\d/g).map((name) => Number(name[1])))),
    );
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const say = (text) => process.stderr.write(`${text}\n`);

function table(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column === 1 ? cell.padStart(widths[1]) : cell.padEnd(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
