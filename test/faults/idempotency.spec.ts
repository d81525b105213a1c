import { type Answer, apiOf, type Client, type Json, newWorkspace, ok } from '../support/clients/client.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { verify } from '../support/server/verify.js';

const WRITES = 300;
/** Each that is answered is followed by another, so that some are under way whenever the process is killed. */
const AT_ONCE = 100;
const KILL_AFTER = 60;

let dataDir: string;
let server: Server;
let api: Client;
/** What was answered before the kill, by the number of the request. */
const answered = new Map<number, Answer>();

const ask = (nr: number): Promise<Answer> => {
  const headers = { 'idempotency-key': `request-${nr}` };
  const body =
    nr % 3
      ? { name: `Contact ${nr}`, email: `contact${nr}@navy.example` }
      : { modality: 'text', message_direction: 'sent', content: `${nr}`, contact: { name: `Contact ${nr}` } };
  return api.send('POST', nr % 3 ? 'contacts' : 'messages', { body, headers });
};

beforeAll(async () => {
  dataDir = readyDataDir();
  server = await startServer({ dataDir });
  const { organizationId, key } = await newWorkspace({ url: server.url });
  api = apiOf(organizationId, key, server.url);
  let killed: Promise<void> | undefined;
  let next = 0;
  const writer = async () => {
    while (next < WRITES && !killed) {
      const nr = next++;
      await ask(nr).then(
        (answer) => void answered.set(nr, answer),
        () => {},
      );
      if (answered.size >= KILL_AFTER) killed ??= server.kill();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writer));
  await killed;
  server = await startServer({ dataDir });
  api = apiOf(organizationId, key, server.url);
});

afterAll(async () => {
  await server.stop();
  removeDataDir(dataDir);
});

// Whichever step the process was killed at: before the commit nothing is there, after it the answer is.
it('kill -9 amid requests with an Idempotency-Key: repeated, each has happened once and is answered as before', async () => {
  expect(answered.size).toBeLessThan(WRITES);
  const repeats = [];
  for (let nr = 0; nr < WRITES; nr++) repeats.push(await ask(nr));
  expect(repeats.map(({ status }) => status)).toEqual(repeats.map(() => 201));
  for (const [nr, first] of answered) {
    expect(repeats[nr]!.text).toBe(first.text);
    expect(repeats[nr]!.headers.get('idempotency-replayed')).toBe('true');
  }
  const names = (await everyContact()).map(({ name }) => name as string).sort();
  expect(names).toEqual(Array.from({ length: WRITES }, (_, nr) => `Contact ${nr}`).sort());
  expect(await verify(dataDir)).not.toContain('DIFFERS');
});

async function everyContact(): Promise<Json[]> {
  const found: Json[] = [];
  let cursor: string | undefined;
  do {
    const page = await ok(api.get('contacts', { limit: 200, cursor }));
    found.push(...page.data);
    cursor = page.pagination.next_cursor ?? undefined;
  } while (cursor);
  return found;
}
