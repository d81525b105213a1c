import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as Database } from 'pg';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { mailWithFile, postMail, rawMail } from '../support/data/mail.js';
import { mailingList } from '../support/data/mail-history.js';
import { randomFrom } from '../support/random.js';
import { startCli } from '../support/server/cli.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { verify } from '../support/server/verify.js';

const MAILS = Number(process.env['PARLEY_IMPORT_MAILS'] ?? 400);
const LIMIT_MS = 60_000 + MAILS * 1_000;
const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let server: Server;
let files: string;
let database: Database;
beforeAll(async () => {
  server = await startServer();
  files = mkdtempSync(join(tmpdir(), 'parley-import-'));
  database = new Database({ connectionString: await databaseUrl(server.dataDir) });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await server.stop();
  removeDataDir(server.dataDir);
  removeDataDir(files);
});

/** The mails of a mailing list in no order, some of them twice, a fifth of them with files. */
function shuffledList(): Buffer<ArrayBuffer>[] {
  const random = randomFrom(seed);
  const told = mailingList(random, MAILS);
  const mails = told.map(({ email_metadata, party, sent_at, is_auto_reply, content }) => {
    const { email_message_id, in_reply_to, references } = email_metadata;
    const bracketed = (ids: string[]) => ids.map((id) => `<${id}>`).join(' ') || undefined;
    const fields = {
      id: email_message_id,
      from: (party as { email: string }).email,
      date: new Date(sent_at).toUTCString(),
      inReplyTo: bracketed(in_reply_to),
      references: bracketed(references),
      headers: is_auto_reply ? ['Auto-Submitted: auto-replied'] : [],
      body: content,
    };
    const bytes = Buffer.from(`file ${random.integer(1, 20)}`);
    return random.chance(0.2) ? mailWithFile(fields, [{ bytes }]) : rawMail(fields);
  });
  return random.sample([...mails, ...random.sample(mails, MAILS / 20)], Infinity);
}

function written(mails: Buffer[]): string {
  const path = join(files, `${mails.length}.mbox`);
  const envelope = Buffer.from('From x@list.example Fri Jan  2 03:04:05 2026\n');
  writeFileSync(path, Buffer.concat(mails.flatMap((raw) => [envelope, raw, Buffer.from('\r\n')])));
  return path;
}

/** Begins `import mbox`; gives what it prints at the end, or null where it was killed. */
function importing(path: string, { organizationId }: Workspace) {
  const args = ['import', 'mbox', path, '--organization', organizationId];
  const child = startCli(args, { env: { PARLEY_DATA_DIR: server.dataDir } });
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  const done = once(child, 'close').then((): Json => (output === '' ? null : JSON.parse(output)));
  return { child, done };
}

/** What an organization holds as nobody's ids show it; with `order`, also in what order ids were given. */
async function contentOf({ organizationId }: Workspace, order: boolean): Promise<Json> {
  const rows = async (text: string) =>
    (await database.query({ text, values: [organizationId], rowMode: 'array' })).rows;
  const rank = (id: string) => (order ? `rank() OVER (ORDER BY ${id})` : '0');
  return {
    messages: await rows(
      `SELECT m.external_id, m.subject, m.content, m.message_direction, m.sent_at::text, m.is_auto_reply, m.email_metadata,
              jsonb_path_query_array(attachments, '$[*].sha256'), ${rank('message_id')},
              first_value(m.external_id) OVER (PARTITION BY conversation_id ORDER BY m.external_id)
         FROM message m WHERE organization_id = $1 ORDER BY 1`,
    ),
    conversations: await rows(
      `SELECT o.external_id, p.email, c.folder, c.is_read, c.start_at::text, c.last_activity_at::text, c.has_beginning,
              ${rank('c.conversation_id')}
         FROM conversation c JOIN contact p USING (organization_id, contact_id)
         JOIN message o ON o.organization_id = $1 AND o.message_id = c.last_message_id
        WHERE c.organization_id = $1 ORDER BY 1`,
    ),
    contacts: await rows('SELECT name, email FROM contact WHERE organization_id = $1 ORDER BY email'),
    histories: await rows(
      `SELECT string_agg(concat(type, ' ', data -> 'message' ->> 'external_id'), ', ' ORDER BY version) FROM es_event
        WHERE organization_id = $1 AND stream_type = 'conversation' GROUP BY stream_id ORDER BY 1`,
    ),
  };
}

describe(`a mailing list of ${MAILS} mails in no order (seed ${seed})`, () => {
  let path: string;
  let total: number;
  let oneByOne: Workspace;
  beforeAll(async () => {
    const mails = shuffledList();
    [path, total] = [written(mails), mails.length];
    oneByOne = await newWorkspace({ url: server.url });
    const channel = await emailChannel(oneByOne, 1);
    for (const raw of mails) await ok(postMail(channel, raw, server.url));
  }, LIMIT_MS);

  it(
    'is imported as if its mails had come one by one, in the order of the file',
    async () => {
      const imported = await newWorkspace({ url: server.url });
      const done = await importing(path, imported).done;
      expect(done).toEqual({ mails: total, created: MAILS, existing: total - MAILS, bounces: 0, errors: 0 });
      expect(await contentOf(imported, true)).toEqual(await contentOf(oneByOne, true));
    },
    LIMIT_MS,
  );

  it(
    'ends in the same conversations when its import is killed and run again',
    async () => {
      let imported = await newWorkspace({ url: server.url });
      for (let limits = [MAILS / 10, MAILS / 2]; limits.length > 0;) {
        const { child, done } = importing(path, imported);
        child.stderr.on(
          'data',
          (text) => Number(/(\d+) mails/.exec(String(text))?.[1]) >= limits[0]! && child.kill('SIGKILL'),
        );
        if ((await done) === null) limits = limits.slice(1);
        // Where this process was held up, it was over before it was killed.
        else [imported, limits] = [await newWorkspace({ url: server.url }), [MAILS / 10, MAILS / 2]];
      }
      const { created, existing } = await importing(path, imported).done;
      expect([created > 0, existing > MAILS / 10, created + existing]).toEqual([true, true, total]);
      // Which of two conversations was opened first, and so stays when they are merged, depends on when it was killed.
      const shown = async (workspace: Workspace) => {
        const { messages, conversations, contacts } = await contentOf(workspace, false);
        return {
          messages,
          contacts,
          conversations: conversations.map((row: Json[]) => row.filter((_, column) => column !== 1)),
        };
      };
      expect(await shown(imported)).toEqual(await shown(oneByOne));
    },
    LIMIT_MS,
  );

  it(
    'leaves rows that are what the events say',
    async () => {
      expect(await verify(server.dataDir)).toContain('conversation: as the events say');
    },
    LIMIT_MS,
  );
});
