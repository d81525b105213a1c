import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from './cpu.mjs';
import { fillGrowth } from './growth-data.mjs';
import { load } from './load.mjs';
import { median } from './report.mjs';
import { newDatabase, startParley, startServer } from './servers.mjs';

const AT_MOST = 1.3;
const SMALL = 10_000;
const MANY = 10_000;
/** Spread over many, more rows make no organization larger, only the disk fuller. */
const SPREAD = 1_000_000;
/** Organizations that the requests go to where there are many. */
const ASKED = 20;
const COMING_TO_REST_MS = 1_000;
const PAGE = 50;
const WALK = 200;
/** Seconds: a server looks once a minute for tables to clean up. */
const REST = 60;
/** Of a core, by all servers together. */
const IDLE = 0.1;
const LONGEST_CLEANING_MINUTES = 45;

/**
 * What a request costs with so many contacts and as many messages in one organization, and with a million at most spread
 * over 10,000, in units of what it costs with 10,000 in one. Gives the lines of a table.
 */
export async function growthFigures({ rows, rounds, seconds, wanted }) {
  const sides = [];
  const spread = Math.min(rows, SPREAD);
  const { server, pids: postgres } = await startServer();
  for (const [title, of] of [
    [`${SMALL.toLocaleString('en')} rows`, { rows: SMALL, organizations: 1 }],
    [`${rows.toLocaleString('en')} rows`, { rows, organizations: 1 }],
    // What it costs by itself that requests of several organizations do not share statements.
    [`${SMALL.toLocaleString('en')} rows of ${ASKED} organizations`, { rows: SMALL, organizations: ASKED }],
    [
      `${spread.toLocaleString('en')} rows of ${MANY.toLocaleString('en')} organizations`,
      { rows: spread, organizations: MANY },
    ],
  ]) {
    process.stderr.write(`${title}\n`);
    sides.push({ title, ...(await prepare(await newDatabase(server), of)) });
  }
  await runAlone(sides, null);
  await untilAtRest(postgres);
  const lines = [['figure', 'with', 'CPU µs', 'growth', 'p50 ms', 'growth', '']];
  for (const figure of wanted ?? Object.keys(sides[0].requests)) {
    const measured = await inTurns(figure, sides, { postgres, rounds, seconds });
    const [base] = measured;
    for (const [index, { cpu, p50 }] of measured.entries()) {
      const growth = [cpu / base.cpu, p50 / base.p50];
      const reached = growth.every((one) => one <= AT_MOST) ? 'ok' : 'short';
      const [ofCpu, ofP50] = growth.map((one) => one.toFixed(2));
      const name = index === 0 ? figure : '';
      lines.push([
        name,
        sides[index].title,
        cpu.toFixed(0),
        ofCpu,
        p50.toFixed(1),
        ofP50,
        index === 0 ? '' : reached,
      ]);
    }
  }
  for (const { pid } of sides) process.kill(pid, 'SIGCONT');
  return lines;
}

/**
 * Has one of them go on and the others stand still, which else cost the servers something while they are idle. They come to an end of what
 * they do first: a transaction that stood still would hold back the feed of the others.
 */
async function runAlone(sides, index) {
  await sleep(COMING_TO_REST_MS);
  for (const [nr, { pid }] of sides.entries()) process.kill(pid, nr === index ? 'SIGCONT' : 'SIGSTOP');
}

/** A Parley on this database, and what it is asked. */
async function prepare(databaseUrl, { rows, organizations }) {
  const parley = await startParley(databaseUrl);
  const call = async (path, headers, body) => {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await fetch(parley.url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const operator = { 'x-admin-key': parley.adminKey };
  const asked = [];
  for (let nr = 0; nr < Math.min(organizations, ASKED); nr++)
    asked.push((await call('/admin/v1/organizations', operator, { name: 'Growth' })).organization_id);
  const key = await call('/admin/v1/api-keys', operator, { name: 'growth', organization_ids: asked });
  const headers = { 'x-api-key': key.api_key };
  const root = (organizationId) => `/api/v2/organizations/${organizationId}`;
  await call(`${root(asked[0])}/contacts`, headers, { name: 'Grace' });
  await untilRead(() => call('/admin/v1/projections', operator));
  const samples = await fillGrowth(databaseUrl, { rows, organizations, asked });

  const cursors = [];
  for (const organizationId of asked) {
    let cursor = null;
    for (let walked = 0; walked < rows / organizations / 2; walked += WALK) {
      const after = cursor === null ? '' : `&cursor=${cursor}`;
      const page = await call(`${root(organizationId)}/contacts?limit=${WALK}${after}`, headers);
      cursor = page.pagination.next_cursor ?? cursor;
    }
    cursors.push([organizationId, cursor]);
  }
  const gets = (paths) => ({ headers, urls: paths.map((path) => parley.url + path) });
  const contacts = (make) =>
    gets(samples.map((sample) => `${root(sample.organization_id)}/contacts${make(sample)}`));
  return {
    pid: parley.pid,
    requests: {
      'get a contact': contacts(({ contact_id }) => `/${contact_id}`),
      'first page of contacts': gets(asked.map((one) => `${root(one)}/contacts?limit=${PAGE}`)),
      'page in the middle': gets(
        cursors.map(
          ([one, cursor]) => `${root(one)}/contacts?limit=${PAGE}${cursor ? `&cursor=${cursor}` : ''}`,
        ),
      ),
      'contacts by e-mail': contacts(({ email }) => `?email=${encodeURIComponent(email)}`),
      'messages of a conversation': gets(
        samples.map((one) => `${root(one.organization_id)}/conversations/${one.conversation_id}/messages`),
      ),
      'create a contact': {
        headers,
        urls: asked.map((one) => `${parley.url}${root(one)}/contacts`),
        bodies: [{ name: 'Grace Hopper', email: 'Grace@navy.example', phone_number: '+1 (202) 555-0143' }],
      },
    },
  };
}

/** Once a read model has read anything it is past the events to come, whose transaction is an old one. */
async function untilRead(projections) {
  for (;;) {
    const { data } = await projections();
    if (data.every(({ lag_events }) => lag_events === 0)) return;
    await sleep(100);
  }
}

/** The servers have stopped cleaning up what was filled in, which would count as cost of the requests. */
async function untilAtRest(postgres) {
  for (let minutes = 0; minutes < LONGEST_CLEANING_MINUTES; minutes++) {
    const before = cpuSeconds(postgres);
    await sleep(REST * 1000);
    const used = (cpuSeconds(postgres) - before) / REST;
    process.stderr.write(`The servers clean up with ${(used * 100).toFixed(0)} % of a core.\n`);
    if (used <= IDLE) return;
  }
}

async function inTurns(figure, sides, { postgres, rounds, seconds }) {
  process.stderr.write(figure);
  for (const [index, { requests }] of sides.entries()) {
    await runAlone(sides, index);
    await load(requests[figure], Math.max(seconds / 2, 2));
  }
  const taken = sides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { pid, requests }] of sides.entries()) {
      await runAlone(sides, index);
      const pids = [pid, ...postgres];
      const before = cpuSeconds(pids);
      const { answers, p50 } = await load(requests[figure], seconds);
      taken[index].push({ cpu: ((cpuSeconds(pids) - before) * 1e6) / answers, p50 });
    }
    process.stderr.write('.');
  }
  const medians = taken.map((runs) => ({
    cpu: median(runs.map(({ cpu }) => cpu)),
    p50: median(runs.map(({ p50 }) => p50)),
  }));
  process.stderr.write(` ${medians.map(({ cpu }) => cpu.toFixed(0)).join(', ')} µs\n`);
  return medians;
}
