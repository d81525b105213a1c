import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf, type Client, emailChannel, type Json, newWorkspace } from '../support/clients/client.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { verify } from '../support/server/verify.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

/** How often the process is killed. */
const KILLS = Number(process.env['PARLEY_FILE_KILLS'] ?? 5);
const CLIENTS = 8;
const DAY_MS = 86_400_000;

let dataDir: string;
let server: Server;
let smtp: TestSmtp;
let api: Client;
let isOver = false;
/** What was answered: the bytes of each file, and by its subject what is to become of each draft. */
const files = new Map<string, Buffer>();
const drafts = new Map<string, { draft_id: string; file_id: string; leaves: boolean }>();

beforeAll(
  async () => {
    smtp = await startSmtp();
    dataDir = readyDataDir();
    server = await startServer({ dataDir });
    const workspace = await newWorkspace({ url: server.url });
    await emailChannel(workspace, smtp.port);
    const { organizationId, key } = workspace;
    api = apiOf(organizationId, key, server.url);
    const clients = Array.from({ length: CLIENTS }, (_, nr) => client(nr));
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(100 + Math.random() * 400);
      await server.kill();
      server = await startServer({ dataDir });
      api = apiOf(organizationId, key, server.url);
    }
    isOver = true;
    await Promise.all(clients);
  },
  60_000 + KILLS * 20_000,
);

afterAll(async () => {
  await server.stop();
  removeDataDir(dataDir);
  await smtp.close();
});

const inMs = (ms: number) => new Date(performance.timeOrigin + performance.now() + ms).toISOString();

/** Until it is answered with success; a repeat finds what the first try has done. */
async function insist(ask: () => ReturnType<Client['post']>): Promise<Json> {
  for (;;) {
    const answer = await ask().catch(() => null);
    if (answer && answer.status < 300) return answer.body;
    if (answer && answer.status < 500 && answer.status !== 409) throw new Error(answer.text);
    await sleep(50);
  }
}

/** Uploads files, and sends each by a draft: at once, after it was taken back, or never. */
async function client(nr: number): Promise<void> {
  for (let turn = 0; !isOver; turn++) {
    const subject = `${nr}, ${turn}`;
    const bytes = randomBytes(1_000 + turn * 10_000);
    const once = (what: string) => ({ 'idempotency-key': `${what} ${subject}` });
    const { file_id } = await insist(() =>
      api.send('POST', 'files', {
        raw: bytes,
        query: { file_name: 'x.bin' },
        headers: { 'content-type': 'application/octet-stream', ...once('file') },
      }),
    );
    files.set(file_id, bytes);
    const send_at = inMs(turn % 3 === 0 ? 200 : DAY_MS);
    const to_email = 'grace@navy.example';
    const draft = { modality: 'email', subject, to_email, file_ids: [file_id], send_at };
    const body = { ...draft, autosend_draft: true, add_notification: false };
    const { draft_id } = await insist(() =>
      api.send('POST', 'message-drafts', { body, headers: once('draft') }),
    );
    if (turn % 3 !== 0) await insist(() => api.post(`message-drafts/${draft_id}/unschedule`));
    const again = { send_at: inMs(100) };
    if (turn % 3 === 1)
      await insist(() =>
        api.send('POST', `message-drafts/${draft_id}/send`, { body: again, headers: once('send') }),
      );
    drafts.set(subject, { draft_id, file_id, leaves: turn % 3 !== 2 });
  }
}

const endOf = async (draftId: string): Promise<string> => {
  const { status, body } = await api.get(`message-drafts/${draftId}`);
  return status === 404 && body.code === 'draft_promoted' ? 'promoted' : body.delivery.status;
};

it(`with ${KILLS} kills amid uploads, scheduling and taking back, no file is lost and no draft lost or sent twice`, async () => {
  const leaving = [...drafts].filter(([, { leaves }]) => leaves);
  const ends = new Map<string, string>();
  await until(async () => {
    for (const [subject, { draft_id }] of leaving)
      if (!ends.has(subject)) {
        const end = await endOf(draft_id);
        if (!['promoted', 'uncertain', 'failed'].includes(end)) return false;
        ends.set(subject, end);
      }
    return true;
  });
  let copies = 0;
  for (const [subject, { file_id, draft_id, leaves }] of drafts) {
    const mails = smtp.mails.filter(({ parsed }) => parsed.subject === subject);
    for (const { parsed } of mails)
      expect(parsed.attachments.map(({ content }) => content.equals(files.get(file_id)!))).toEqual([true]);
    if (!leaves) expect([await endOf(draft_id), mails.length]).toEqual(['none', 0]);
    else if (ends.get(subject) === 'promoted') expect(mails.length).toBeGreaterThan(0);
    // A process that was killed while the mail was with the server cannot know: the copy has the same Message-ID.
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBeLessThanOrEqual(1);
    copies += Math.max(0, mails.length - 1);
  }
  for (const [file_id, bytes] of files) {
    const answer = await fetch(api.url + api.path(`files/${file_id}`), { headers: api.headers });
    expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(bytes)]).toEqual([200, true]);
  }
  expect(copies).toBeLessThanOrEqual(KILLS * CLIENTS);
  process.stdout.write(
    `\nFiles: ${KILLS} kills, ${files.size} files, ${drafts.size} drafts, ${leaving.length} to leave, ${
      [...ends.values()].filter((end) => end === 'promoted').length
    } promoted, ${copies} copies under one Message-ID\n`,
  );
  await verify(dataDir);
}, 300_000);
