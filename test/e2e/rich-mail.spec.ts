import { createHash, randomBytes } from 'node:crypto';
import {
  type Answer,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  type Workspace,
} from '../support/clients/client.js';
import { hasChromium, launchChromium, newPage } from '../support/clients/browser.js';
import { autosend, draftsOf, postMail, promotedMessage, rawMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { verify } from '../support/server/verify.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEUlEQVR4nGP4z8AARBAKhAEAHvAF+5GQ0ycAAAAASUVORK5CYII=';
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(5_000)]);
const INVITATION = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n';
const AUTHORS = ['grace@navy.example', 'ada@navy.example', 'alan@navy.example'];
const LATER_MS = 86_400_000;

const folded = (bytes: Buffer) => bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** From three people, with a picture in its text, a PDF and an invitation. */
const richMail = (to: string) =>
  rawMail({
    from: 'Grace Hopper <grace@navy.example>, Ada <ada@navy.example>, alan@navy.example',
    to: `Acme <${to}>, "Other" <other@acme.example>`,
    subject: 'Blue',
    headers: [
      'Cc: Boss <boss@navy.example>',
      'Sender: grace@navy.example',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="m"',
    ],
    body: [
      ...['--m', 'Content-Type: multipart/related; boundary="r"', ''],
      ...['--r', 'Content-Type: text/html; charset=utf-8', ''],
      '<p>See <b>this</b>: <img src="cid:pic@navy" alt="chair"></p><script>document.title = "ran"</script>',
      ...['--r', 'Content-Type: image/png; name="chair.png"', 'Content-ID: <pic@navy>'],
      ...[
        'Content-Disposition: inline; filename="chair.png"',
        'Content-Transfer-Encoding: base64',
        '',
        PICTURE,
      ],
      '--r--',
      ...['--m', "Content-Type: application/pdf; name*=utf-8''Angebot%20f%C3%BCr%20%C3%96l.pdf"],
      ...['Content-Disposition: attachment', 'Content-Transfer-Encoding: base64', '', folded(PDF)],
      ...['--m', 'Content-Type: text/calendar; method=REQUEST; name="invite.ics"'],
      ...['Content-Disposition: attachment; filename="invite.ics"', '', INVITATION],
      '--m--',
    ].join('\n'),
  });

describe('a mail from three people with a picture, a PDF and an invitation', () => {
  let server: Server;
  let smtp: TestSmtp;
  let workspace: Workspace;
  let raw: Buffer<ArrayBuffer>;
  let arrival: Answer;
  beforeAll(async () => {
    [smtp, server] = await Promise.all([startSmtp(), startServer()]);
    workspace = await newWorkspace({ url: server.url });
    const channel = await emailChannel(workspace, smtp.port);
    raw = richMail(channel.from_address);
    arrival = await postMail(channel, raw, server.url);
  });
  afterAll(async () => {
    await smtp.close();
    await server.stop();
    removeDataDir(server.dataDir);
  });

  const bytesOf = async (path: string): Promise<Buffer> => {
    const answer = await fetch(server.url + workspace.api.path(path), { headers: workspace.api.headers });
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };
  const routeOf = ({ conversation_id, message_id }: Json) =>
    `conversations/${conversation_id}/messages/${message_id}`;
  const attached = (name: string): Json =>
    arrival.body.attachments.find(({ file_name }: Json) => file_name === name);
  const download = ({ attachment_id }: Json) =>
    bytesOf(`${routeOf(arrival.body)}/attachments/${attachment_id}`);

  it('is by the first, and each author is a contact who finds the conversation', async () => {
    const { api } = workspace;
    expect(arrival.status).toBe(201);
    expect(arrival.body.from).toMatchObject({ name: 'Grace Hopper', email: 'grace@navy.example' });
    const contacts: Json[] = (await ok(api.get('contacts'))).data;
    expect(contacts.map(({ email }) => email).sort()).toEqual([...AUTHORS].sort());
    for (const { contact_id } of contacts) {
      const { data } = await ok(api.get(`contacts/${contact_id}/conversations`));
      expect(data.map(({ conversation_id }: Json) => conversation_id)).toEqual([
        arrival.body.conversation_id,
      ]);
      expect(data[0].participants).toContain(contact_id);
    }
  });

  it('says to whom it went, and has its files', async () => {
    expect(arrival.body.to.map(({ name }: Json) => name)).toEqual(['Acme', 'Other']);
    expect(arrival.body.cc).toEqual([{ name: 'Boss', email: 'boss@navy.example' }]);
    expect((await download(attached('Angebot für Öl.pdf'))).equals(PDF)).toBe(true);
    expect(String(await download(attached('invite.ics')))).toContain('METHOD:REQUEST');
  });

  it('is kept byte for byte', async () => {
    expect(sha256Of(await bytesOf(`messages/${arrival.body.message_id}/raw`))).toBe(sha256Of(raw));
  });

  needs('Chromium', hasChromium).it('is shown with its picture, and without its script', async () => {
    const picture = attached('chair.png');
    expect(arrival.body.body_html).toContain(`cid:${picture.content_id}`);
    const html = arrival.body.body_html.replace(
      `cid:${picture.content_id}`,
      `data:image/png;base64,${(await download(picture)).toString('base64')}`,
    );
    const browser = await launchChromium();
    try {
      const page = await newPage(browser);
      await page.setContent(`<title>safe</title>${html}`);
      expect(await page.title()).toBe('safe');
      const size = await page.evaluate('[document.images[0].naturalWidth, document.images[0].naturalHeight]');
      expect(size).toEqual([3, 2]);
    } finally {
      await browser.close();
    }
  });

  it('is answered with two files: scheduled, taken back, scheduled again, left', async () => {
    const { api } = workspace;
    const names = ['見積書.pdf', 'Preise & Öl.csv'];
    const contents = [PDF, Buffer.from('a;b\n')];
    const types = ['application/pdf', 'text/csv'];
    const file_ids: string[] = [];
    for (const [nr, file_name] of names.entries()) {
      const headers = { 'content-type': types[nr]! };
      const sent = { raw: contents[nr] as Buffer<ArrayBuffer>, query: { file_name: file_name }, headers };
      file_ids.push((await ok(api.send('POST', 'files', sent))).file_id);
    }
    const send_at = new Date(performance.timeOrigin + performance.now() + LATER_MS).toISOString();
    const draft = await ok(api.post(draftsOf(arrival.body), autosend({ file_ids, send_at })));
    const route = `${draftsOf(arrival.body)}/${draft.response_id}`;
    const summary = async (): Promise<Json> => ok(api.get(`conversations/${arrival.body.conversation_id}`));
    expect(await summary()).toMatchObject({ has_draft: true, waiting_since: arrival.body.sent_at });
    await ok(api.post(`${route}/unschedule`));
    expect((await ok(api.get(route))).delivery.status).toBe('none');
    const soon = new Date(performance.timeOrigin + performance.now() + 300).toISOString();
    await ok(api.post(`${route}/send`, { send_at: soon }));
    const reply = await promotedMessage(workspace, draft);
    const [mail] = await smtp.waitFor(1);
    expect(
      mail!.parsed.attachments.map(({ filename, contentType, content }) => [
        filename,
        contentType,
        sha256Of(content),
      ]),
    ).toEqual(names.map((name, nr) => [name, types[nr], sha256Of(contents[nr]!)]));
    expect(reply.attachments.map(({ file_name }: Json) => file_name)).toEqual(names);
    expect(reply.sent_at >= soon.replace('Z', '000Z')).toBe(true);
    expect(await summary()).toMatchObject({ has_draft: false, waiting_since: null, message_count: 2 });
  });

  it('is what the events say, files and all, and after each rebuild', async () => {
    await verify(server.dataDir);
    for (const name of ['conversation', 'draft', 'file'])
      expect((await workspace.admin.post(`projections/${name}/rebuild`)).status).toBeLessThan(300);
    await verify(server.dataDir);
  });
});
