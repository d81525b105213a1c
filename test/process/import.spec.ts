import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { contentsOf, countsOf } from '../support/clients/doors.js';
import { bounceOf, mailWithFile, newMessageId, rawMail } from '../support/data/mail.js';
import { cli } from '../support/server/cli.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { verify } from '../support/server/verify.js';

let server: Server;
let files: string;
let workspace: Workspace;
beforeAll(async () => {
  server = await startServer();
  files = mkdtempSync(join(tmpdir(), 'parley-import-'));
});
beforeEach(async () => {
  workspace = await newWorkspace({ url: server.url });
});
afterAll(async () => {
  await server.stop();
  removeDataDir(server.dataDir);
  removeDataDir(files);
});

/** Runs the command line beside the server. */
async function run(...args: string[]): Promise<{ code: number | null; done: Json; errors: string }> {
  const { code, stdout, stderr } = await cli(['import', ...args], {
    env: { PARLEY_DATA_DIR: server.dataDir },
  });
  return { code, done: stdout === '' ? null : JSON.parse(stdout), errors: stderr };
}

function written(name: string, content: string | Buffer): string {
  const path = join(files, name);
  writeFileSync(path, content);
  return path;
}
const into = () => ['--organization', workspace.organizationId];

describe('import mbox', () => {
  const mbox = (mails: Buffer[]) =>
    Buffer.concat(
      mails.flatMap((raw) => [
        Buffer.from('From x@y.example Fri Jan  2 03:04:05 2026\n'),
        raw,
        Buffer.from('\r\n\r\n'),
      ]),
    );

  it('records received and sent mails in their conversations, once', async () => {
    const { from_address } = await emailChannel(workspace, 1);
    const [question, answer] = [newMessageId(), newMessageId()];
    const path = written(
      'mails.mbox',
      mbox([
        rawMail({
          id: answer,
          from: `Sales <${from_address}>`,
          to: 'grace@navy.example',
          inReplyTo: question,
          date: 'Fri, 02 Jan 2026 12:00:00 +0000',
        }),
        rawMail({ id: question, from: 'grace@navy.example', date: 'Thu, 01 Jan 2026 12:00:00 +0000' }),
        mailWithFile({ from: 'ada@navy.example' }),
        bounceOf('<unknown@x.example>', 'gone@navy.example'),
      ]),
    );
    const first = await run('mbox', path, ...into());
    expect([first.code, first.done]).toEqual([
      0,
      { mails: 4, created: 3, existing: 0, bounces: 1, errors: 0 },
    ]);
    const { messages } = await contentsOf(workspace);
    expect(messages.map(({ message_direction }) => message_direction).sort()).toEqual([
      'received',
      'received',
      'sent',
    ]);
    expect(await countsOf(workspace)).toEqual([3, 2, 2]);
    const again = await run('mbox', path, ...into());
    expect([again.code, again.done]).toEqual([
      0,
      { mails: 4, created: 0, existing: 3, bounces: 1, errors: 0 },
    ]);
    expect(await countsOf(workspace)).toEqual([3, 2, 2]);
    const withFile = messages.find(({ attachments }) => attachments.length > 0);
    const file = `conversations/${withFile.conversation_id}/messages/${withFile.message_id}/attachments/${withFile.attachments[0].attachment_id}`;
    expect((await workspace.api.get(file)).text).toBe('%PDF-1.7');
  });

  it('refuses an organization that does not exist, and a file that is no mbox', async () => {
    const path = written('not.mbox', 'Subject: x\n\n');
    expect(await run('mbox', path, '--organization', 'org_nowhere')).toMatchObject({ code: 1, done: null });
    expect((await run('mbox', path, ...into())).errors).toContain('no mbox');
    const missing = await run('mbox', join(files, 'missing'), ...into());
    expect([missing.code, missing.errors]).toEqual([1, expect.stringMatching(/^[^\n]*ENOENT[^\n]*\n?$/)]);
  });
});

describe('what was imported', () => {
  it('is what the events say, also the mails that mails answer', async () => {
    expect(await verify(server.dataDir)).toContain('conversation: as the events say');
  });
});

describe('import contacts', () => {
  const contacts = async (): Promise<Json[]> => (await ok(workspace.api.get('contacts'))).data;

  it('creates the contacts that are not there, by the header of the file, once', async () => {
    await ok(workspace.adminApi.post('custom-fields/contacts', { label: 'Shoe size', type: 'number' }));
    await ok(workspace.api.post('contacts', { email: 'ada@navy.example' }));
    const path = written(
      'contacts.csv',
      [
        'First Name;Last Name;E-mail;Phone;Shoe size;Remark',
        'Grace;Hopper;grace@navy.example;212-555-0101;43;"a;b"',
        'Ada;Byron;ADA@navy.example;;;',
        'Mary;;;;;',
        ';;;"+1 212 555 0101";;',
      ].join('\r\n'),
    );
    const mapped = [...into(), '--map', 'Remark=company_role'];
    const first = await run('contacts', path, ...mapped);
    expect([first.code, first.done]).toEqual([0, { created: 2, existing: 2, errors: 0 }]);
    expect((await contacts()).find(({ name }) => name === 'Grace Hopper')).toMatchObject({
      email: 'grace@navy.example',
      phone_number: '212-555-0101',
      company_role: 'a;b',
      custom_fields: { shoe_size: 43 },
    });
    expect((await run('contacts', path, ...mapped)).done).toEqual({ created: 0, existing: 4, errors: 0 });
    expect(await contacts()).toHaveLength(3);
  });

  it('creates none when a row is wrong, and names each by its line', async () => {
    const path = written(
      'wrong.csv',
      'name,email\nGrace,grace@navy.example,\nAda,nonsense\n"Two\nlines",\n,\n"",x@y\nByron, Ada,ada@navy.example\n',
    );
    const refused = await run('contacts', path, ...into());
    expect([refused.code, refused.done]).toEqual([1, { created: 0, existing: 0, errors: 3 }]);
    expect(refused.errors).toMatch(
      /line 3: email[^]*line 7: email[^]*line 8: it has 3 cells, and the header 2/,
    );
    expect(await contacts()).toEqual([]);
    const skipped = await run('contacts', path, ...into(), '--skip-errors');
    expect([skipped.code, skipped.done]).toEqual([1, { created: 2, existing: 0, errors: 3 }]);
  });

  it('takes what spreadsheets and old programs leave in a file, and names by its line a number that none can hold', async () => {
    await ok(workspace.adminApi.post('custom-fields/contacts', { label: 'Score', type: 'number' }));
    const path = written(
      'left.csv',
      'sep=;\r\nName;Email;;Score;\r\nBo;bo@csv.example;;7;\r\n\u200b;;;;\r\nCy;cy@csv.example;;9007199254740993;\r\nDi;di@csv.example;x;;\r\n\x1a',
    );
    const refused = await run('contacts', path, ...into());
    expect([refused.code, refused.done]).toEqual([1, { created: 0, existing: 0, errors: 2 }]);
    expect(refused.errors).toMatch(
      /line 5: custom_fields\.score: 9007199254740993 has more digits[^]*line 6: column 3 has a value, and no title/,
    );
    const skipped = await run('contacts', path, ...into(), '--skip-errors');
    expect(skipped.done).toEqual({ created: 1, existing: 0, errors: 2 });
    expect((await contacts())[0]).toMatchObject({ name: 'Bo', custom_fields: { score: 7 } });
  });

  it('creates 1,200 in one run', async () => {
    const rows = Array.from({ length: 1_200 }, (_, nr) => `Contact ${nr},c${nr}@navy.example`);
    const path = written('many.csv', ['name,email', ...rows].join('\n'));
    expect((await run('contacts', path, ...into())).done).toEqual({ created: 1_200, existing: 0, errors: 0 });
  });

  it('refuses a file with a column that nobody knows', async () => {
    const path = written('bad.csv', 'name,nonsense\nGrace,1\n');
    const { code, errors } = await run('contacts', path, ...into());
    expect([code, errors]).toEqual([1, expect.stringContaining('nonsense')]);
    expect(await contacts()).toEqual([]);
  });
});
