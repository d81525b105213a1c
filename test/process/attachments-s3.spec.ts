import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import {
  type Answer,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  type Workspace,
} from '../support/clients/client.js';
import { countsOf } from '../support/clients/doors.js';
import { expectProblem } from '../support/clients/expectations.js';
import { mailWithFile, newMessageId, postMail, rawMail } from '../support/data/mail.js';
import { received } from '../support/data/records.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { startS3, type TestS3 } from '../support/stand-ins/s3.js';

let s3: TestS3;
let server: Server;
let workspace: Workspace;
let channel: Json;
beforeAll(async () => {
  s3 = await startS3('parley-files');
  server = await startServer({
    env: {
      ATTACHMENTS_S3_BUCKET: 'parley-files',
      ATTACHMENTS_S3_ENDPOINT: s3.endpoint,
      ATTACHMENTS_S3_ACCESS_KEY_ID: 'the-key-id',
      ATTACHMENTS_S3_SECRET_ACCESS_KEY: 'the-secret',
      LOG_LEVEL: 'fatal',
    },
  });
  workspace = await newWorkspace({ url: server.url });
  channel = await emailChannel(workspace, 1);
});
afterAll(async () => {
  await server.stop();
  removeDataDir(server.dataDir);
  await s3.close();
});
beforeEach(() => {
  s3.asked.length = 0;
  delete s3.failWith;
});

const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, nr) => (nr * 7) % 256));
const sha256 = createHash('sha256').update(bytes).digest('hex');
const push = (raw = mailWithFile({}, [{ bytes }])): Promise<Answer> => postMail(channel, raw, server.url);
const pathOf = ({ conversation_id, message_id, attachments: [{ attachment_id }] }: Json) =>
  `conversations/${conversation_id}/messages/${message_id}/attachments/${attachment_id}`;

describe('attachments in an S3-compatible store', () => {
  it('are in the bucket when the mail is answered, by organization and hash, and not on disk', async () => {
    await ok(push());
    const path = `/parley-files/${workspace.organizationId}/${sha256.slice(0, 2)}/${sha256}`;
    expect(s3.objects.get(path)?.equals(bytes)).toBe(true);
    expect(readdirSync(server.dataDir)).not.toContain('attachments');
  });

  it('are downloaded byte for byte', async () => {
    const message = await ok(push());
    const answer = await fetch(server.url + workspace.api.path(pathOf(message)), {
      headers: workspace.api.headers,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('are put there once, however many mails bring them', async () => {
    await ok(push());
    await ok(push());
    expect(s3.asked.filter((asked) => asked.startsWith('PUT') && asked.includes(sha256)).length).toBeLessThan(
      2,
    );
  });

  it('that the store has lost are 404', async () => {
    const message = await ok(push());
    s3.objects.clear();
    expectProblem(await workspace.api.get(pathOf(message)), 404, 'attachment_not_found');
  });

  it.each([500, 403])(
    'are not acknowledged while the store answers %i, and taken in afterwards',
    async (status) => {
      const mail = mailWithFile({ id: newMessageId() }, [{ bytes: Buffer.from(`new ${status}`) }]);
      const before = await countsOf(workspace);
      s3.failWith = status;
      const refused = await push(mail);
      expectProblem(refused, 503, 'unavailable');
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await countsOf(workspace)).toEqual(before);
      delete s3.failWith;
      expect((await push(mail)).status).toBe(201);
    },
  );

  it('hold up mails, which are kept as they came, but no texts, when nobody is there', async () => {
    await s3.close();
    expectProblem(await push(mailWithFile({}, [{ bytes: Buffer.from('late') }])), 503, 'unavailable');
    expectProblem(await push(rawMail()), 503, 'unavailable');
    await ok(received(workspace.api, { modality: 'text', contact: { name: 'Grace' } }));
  });
});
