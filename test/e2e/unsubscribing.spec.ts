import {
  Client,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  sharedUrl,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { autosend, draftsOf, promotedMessage, receivedMail } from '../support/data/mail.js';
import { firstMessage, openedBy } from '../support/data/message-drafts.js';
import { type ReceivedMail, startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';

let workspace: Workspace;
let smtp: TestSmtp;

beforeAll(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  await emailChannel(workspace, smtp.port, { list_unsubscribe: true });
});

afterAll(() => smtp.close());

const person = (): string => `${unique('grace')}@navy.example`;
const browser = new Client(sharedUrl(), '');
const mailTo = (email: string): ReceivedMail => smtp.mails.findLast(({ to }) => to.includes(email))!;
const headersOf = ({ raw }: ReceivedMail): string =>
  raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');

async function written(to_email: string, fields: object = {}): Promise<string> {
  const draft = await ok(workspace.api.post('message-drafts', firstMessage({ to_email, ...fields })));
  await openedBy(workspace, draft);
  return headersOf(mailTo(to_email));
}

/** The path of the link in the mail to this address. */
async function linkTo(email: string): Promise<string> {
  const [, url] = /^List-Unsubscribe: ?<([^<>]+)>$/im.exec(await written(email))!;
  expect(url).toMatch(/^https?:\/\/[^/]+\/u\/[\w.-]+$/);
  return new URL(url!).pathname;
}

const suppressionOf = async (email: string): Promise<Json> =>
  (await ok(workspace.api.get('suppressions', { limit: 200 }))).data.find((one: Json) => one.email === email);

describe('a mail by a channel with list_unsubscribe', () => {
  it('has the headers of RFC 8058 when it is a first message', async () => {
    const headers = await written(person());
    expect(headers).toMatch(/^List-Unsubscribe: ?<https?:\/\/[^<>\s]+\/u\/[^<>\s]+>$/im);
    expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/im);
  });

  it('has none when it is a reply', async () => {
    const email = person();
    const question = await receivedMail(workspace, { contact: { name: 'Grace', email } });
    await promotedMessage(workspace, await ok(workspace.api.post(draftsOf(question), autosend())));
    expect(headersOf(mailTo(email))).not.toMatch(/List-Unsubscribe/i);
  });

  it('has none by a channel without, as by default', async () => {
    const other = await newWorkspace();
    const channel = await emailChannel(other, smtp.port);
    expect(channel.list_unsubscribe).toBe(false);
    const to_email = person();
    await openedBy(other, await ok(other.api.post('message-drafts', firstMessage({ to_email }))));
    expect(headersOf(mailTo(to_email))).not.toMatch(/List-Unsubscribe/i);
  });
});

describe('the link to unsubscribe', () => {
  it.each<[string, string | undefined, string | Uint8Array<ArrayBuffer> | undefined]>([
    ['urlencoded', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    ['as text', 'text/plain', 'List-Unsubscribe=One-Click'],
    ['without a type', undefined, new Uint8Array(Buffer.from('List-Unsubscribe=One-Click'))],
    ['without a body', undefined, undefined],
    ['as bytes', 'application/octet-stream', 'x'],
    ['with an empty JSON body', 'application/json', ''],
    ['with broken JSON', 'application/json', '{"a'],
    ['as a mail', 'message/rfc822', 'x'],
    ['of a type that is none', 'one click', 'x'],
    ['multipart without a boundary', 'multipart/form-data', 'x'],
    ['with a long body', 'text/plain', 'x'.repeat(3_000_000)],
    [
      'multipart',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
  ])('suppresses the address by a POST of a mail program, %s', async (_, type, raw) => {
    const email = person();
    const link = await linkTo(email);
    const answer = await browser.send('POST', link, {
      ...(raw !== undefined && { raw }),
      headers: type === undefined ? {} : { 'content-type': type },
    });
    expect(answer.status).toBe(200);
    expect(await suppressionOf(email)).toMatchObject({ reason: 'unsubscribed' });
    const again = await workspace.api.post('message-drafts', firstMessage({ to_email: email }));
    expectProblem(again, 400, 'recipient_suppressed');
  });

  it('suppresses the address by a compressed POST', async () => {
    const email = person();
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
    const answer = await browser.send('POST', await linkTo(email), { raw: 'x', headers });
    expect(answer.status).toBe(200);
    expect(await suppressionOf(email)).toBeDefined();
  });

  it('shows a page whose button posts, which changes nothing by itself', async () => {
    const email = person();
    const link = await linkTo(email);
    const shown = await browser.get(link);
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(shown.text).toContain(email);
    expect(shown.text).toContain('<form method="post"><button>');
    await browser.send('HEAD', link);
    expect(await suppressionOf(email)).toBeUndefined();
  });

  it('works again and again', async () => {
    const email = person();
    const link = await linkTo(email);
    for (const _ of [1, 2]) expect((await browser.post(link)).status).toBe(200);
    expect(await suppressionOf(email)).toBeDefined();
  });

  it('has pages that run nothing, are kept nowhere and stand in no frame', async () => {
    const { headers } = await browser.get(await linkTo(person()));
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('shows an address as text', async () => {
    const { text } = await browser.get(
      await linkTo(`"<b>${unique('x')}"@navy.example`.replace(/[<>]/g, '&')),
    );
    expect(text).toContain('&#38;b&#38;');
  });

  it('is 404 when it was changed, by GET and POST', async () => {
    const link = await linkTo(person());
    for (const path of [`${link.slice(0, -1)}!`, '/u/x.y', '/u/token'])
      for (const method of ['GET', 'POST'])
        expectProblem(await browser.send(method, path), 404, 'unsubscribe_link_not_found');
  });
});

describe('list_unsubscribe', () => {
  it.each([[null], ['true'], [1]])('%p is refused', async (list_unsubscribe) => {
    const body = { provider: 'smtp', host: 'x', port: 25, from_address: person(), list_unsubscribe };
    const answer = await workspace.adminApi.put('channels/email', body);
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'list_unsubscribe']);
  });
});
