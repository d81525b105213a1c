import {
  apiOf,
  Client,
  emailChannel,
  type Json,
  newKey,
  newWorkspace,
  ok,
  sharedUrl,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import {
  autosend,
  draftsOf,
  draftWith,
  postMail,
  promotedMessage,
  rawMail,
  receivedMail,
} from '../support/data/mail.js';
import { firstMessage, openedBy } from '../support/data/message-drafts.js';
import { type ReceivedMail, startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const UNKNOWN = 'link_01hzy3v7q4e8k9m2n5p6r7s8t9';

let smtp: TestSmtp;
let workspace: Workspace;
let channel: Json;

beforeAll(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, smtp.port);
});

afterAll(() => smtp.close());

interface Sent {
  message: Json;
  mail: ReceivedMail;
}

/** Sends the HTML as a reply; gives the message and the mail as it arrived. */
async function sent(body_html: string): Promise<Sent> {
  const question = await receivedMail(workspace);
  const message = await promotedMessage(
    workspace,
    await ok(workspace.api.post(draftsOf(question), autosend({ body_html }))),
  );
  const id = `<${message.email_metadata.email_message_id}>`;
  return { message, mail: smtp.mails.find(({ messageId }) => messageId === id)! };
}

const hrefs = ({ mail }: Sent): string[] =>
  [...String(mail.parsed.html).matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);
const visitor = (userAgent = BROWSER) => new Client(sharedUrl(), '', { 'user-agent': userAgent });
const follow = (link_id: string, userAgent?: string) => visitor(userAgent).get(`/l/${link_id}`);
const below = ({ conversation_id, message_id }: Json): string =>
  `conversations/${conversation_id}/messages/${message_id}`;
const linksOf = async (message: Json): Promise<Json[]> =>
  (await ok(workspace.api.get(`${below(message)}/tracked-links`))).data;

describe('a link of an e-mail that was sent', () => {
  it.each([
    ['plain', 'https://acme.example/blue', 'https://acme.example/blue'],
    ['without TLS', 'http://acme.example', 'http://acme.example'],
    ['in capitals', 'HTTPS://ACME.example/Blue', 'HTTPS://ACME.example/Blue'],
    ['with entities', 'https://acme.example/?a=1&amp;b=2&#38;c=3', 'https://acme.example/?a=1&b=2&c=3'],
    ['with bare ampersands', 'https://acme.example/?a=1&b=2', 'https://acme.example/?a=1&b=2'],
    ['with a fragment', 'https://acme.example/a?b#c/d?e', 'https://acme.example/a?b#c/d?e'],
    ['percent-encoded', 'https://acme.example/a%20b%2Fc%3F?q=%26', 'https://acme.example/a%20b%2Fc%3F?q=%26'],
    ['with spaces', 'https://acme.example/a b?q=c d', 'https://acme.example/a b?q=c d'],
    ['in other scripts', 'https://bücher.example/Größe/日本?q=🎉', 'https://bücher.example/Größe/日本?q=🎉'],
    ['with quotes', 'https://acme.example/?q=&quot;a&quot;', 'https://acme.example/?q="a"'],
    ['with dots', 'https://acme.example/a/../b/./c', 'https://acme.example/a/../b/./c'],
    ['with a user and a port', 'https://u:p@acme.example:8443/', 'https://u:p@acme.example:8443/'],
    ['to another such link', `https://acme.example/l/${UNKNOWN}`, `https://acme.example/l/${UNKNOWN}`],
    [
      'very long',
      `https://acme.example/?q=${'a'.repeat(5_000)}`,
      `https://acme.example/?q=${'a'.repeat(5_000)}`,
    ],
  ])('%s is kept exactly, and followed to where it led', async (_, href, url) => {
    const { message, mail } = await sent(`<p>See <a href="${href}">this</a>.</p>`);
    expect(message.tracked_links).toEqual([
      { link_id: expect.stringMatching(/^link_/), url, click_count: 0, human_click_count: 0 },
    ]);
    const [{ link_id }] = message.tracked_links;
    expect(hrefs({ message, mail })).toEqual([
      `${sharedUrl().replace('127.0.0.1', 'localhost')}/l/${link_id}`,
    ]);
    const answer = await follow(link_id);
    expect(answer.status).toBe(302);
    const location = answer.headers.get('location')!;
    expect(location).toMatch(/^[\x21-\x7e]+$/);
    expect(new URL(location).href).toBe(new URL(url).href);
    if (/^[\x21-\x7e]+$/.test(url)) expect(location).toBe(url);
  });

  it.each([
    ['mailto:', 'mailto:a@acme.example'],
    ['tel:', 'tel:+12125550101'],
    ['an anchor', '#below'],
    ['a path', '/blue'],
  ])('that is %s is left as it is', async (_, href) => {
    const one = await sent(`<a href="${href}">x</a> and <a href="https://acme.example/">y</a>`);
    expect(one.message.tracked_links).toHaveLength(1);
    expect(hrefs(one)[0]).toBe(href);
  });

  it('is a picture or a word: those are not links, and stay', async () => {
    const { message, mail } = await sent(
      '<img src="https://acme.example/a.png" /> see https://acme.example/b',
    );
    expect(message.tracked_links).toEqual([]);
    expect(mail.parsed.html).toContain('src="https://acme.example/a.png"');
    expect(mail.parsed.html).toContain('see https://acme.example/b');
  });

  it('is one of several: each leads to its own, in the order of the mail, the same one twice', async () => {
    const urls = ['https://acme.example/1', 'https://acme.example/2', 'https://acme.example/1'];
    const one = await sent(urls.map((url) => `<a href="${url}">x</a>`).join(' '));
    expect(one.message.tracked_links.map(({ url }: Json) => url)).toEqual(urls.slice(0, 2));
    for (const [nr, href] of hrefs(one).entries())
      expect((await follow(href.split('/l/')[1]!)).headers.get('location')).toBe(urls[nr]);
  });

  it('is in the text alternative, too, and as it was in the message', async () => {
    const { message, mail } = await sent('<p>See <a href="https://acme.example/blue">this</a></p>');
    expect(mail.parsed.text).toContain(`/l/${message.tracked_links[0].link_id}`);
    expect(mail.parsed.text).not.toContain('https://acme.example/blue');
    expect(message.content).toContain('https://acme.example/blue');
    expect(message.body_html).toContain('href="https://acme.example/blue"');
  });

  it('is tracked in a first message as it is in a reply', async () => {
    const body_html = '<a href="https://acme.example/first">x</a>';
    const draft = await ok(workspace.api.post('message-drafts', firstMessage({ body_html })));
    const { message } = await openedBy(workspace, draft);
    expect((await follow(message.tracked_links[0].link_id)).headers.get('location')).toBe(
      'https://acme.example/first',
    );
  });

  it('keeps its id when the mail is sent again by hand, since either copy may be read', async () => {
    const question = await receivedMail(workspace);
    const body_html = '<a href="https://acme.example/again">x</a>';
    let seen: ReceivedMail | undefined;
    smtp.respond.data = (mail) => {
      seen = mail;
      smtp.respond.data = undefined;
      return { code: 554 };
    };
    const draft = await ok(workspace.api.post(draftsOf(question), autosend({ body_html })));
    await draftWith(workspace, draft, 'failed');
    await ok(workspace.api.post(`${draftsOf(question)}/${draft.response_id}/send`));
    const message = await promotedMessage(workspace, draft);
    expect(String(seen?.parsed.html)).toContain(`/l/${message.tracked_links[0].link_id}`);
  });
});

describe('following a link', () => {
  let message: Json;
  let link_id: string;
  beforeEach(async () => {
    ({ message } = await sent(`<a href="https://acme.example/${unique('x')}?a=b">x</a>`));
    [{ link_id }] = message.tracked_links;
  });
  const counts = async (): Promise<[number, number]> => {
    const [{ click_count, human_click_count }] = (await linksOf(message)) as [Json];
    return [click_count, human_click_count];
  };

  it('counts each click, which the message, the list and the link itself show', async () => {
    for (let nr = 0; nr < 3; nr++) await follow(link_id);
    const link = { ...message.tracked_links[0], click_count: 3, human_click_count: 3 };
    expect(await linksOf(message)).toEqual([link]);
    expect(await ok(workspace.api.get(`${below(message)}/tracked-links/${link_id}`))).toEqual(link);
    expect(await ok(workspace.api.get(`tracked-links/${link_id}`))).toEqual(link);
    expect((await ok(workspace.api.get(below(message)))).tracked_links).toEqual([link]);
    const { data } = await ok(workspace.api.get(`conversations/${message.conversation_id}/messages`));
    expect(data[0].tracked_links).toEqual([link]);
  });

  it('is counted in the answer to a mail that comes again, too', async () => {
    const { message } = await sent('<a href="https://acme.example/">x</a>');
    await follow(message.tracked_links[0].link_id);
    const id = `<${message.email_metadata.email_message_id}>`;
    const answer = await postMail(channel, rawMail({ id }));
    expect([answer.status, answer.body.tracked_links[0].click_count]).toEqual([200, 1]);
  });

  it('needs no key and is not cached', async () => {
    const { headers } = await follow(link_id);
    expect(headers.get('cache-control')).toContain('no-store');
  });

  it('by HEAD redirects and does not count', async () => {
    const head = await visitor().send('HEAD', `/l/${link_id}`);
    expect([head.status, head.headers.get('location')]).toEqual([302, message.tracked_links[0].url]);
    expect(await counts()).toEqual([0, 0]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('by %s is refused and does not count', async (method) => {
    expect((await visitor().send(method, `/l/${link_id}`)).status).toBe(405);
    expect(await counts()).toEqual([0, 0]);
  });

  it('counts all of a hundred clicks at once', async () => {
    await Promise.all(Array.from({ length: 100 }, () => follow(link_id)));
    expect(await counts()).toEqual([100, 100]);
  });

  it.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Barracuda Sentinel (EE)',
    'curl/8.5.0',
    'python-requests/2.32',
    'WhatsApp/2.23',
  ])('by %s counts as a click, not as a human one', async (userAgent) => {
    await follow(link_id, userAgent);
    await follow(link_id);
    expect(await counts()).toEqual([2, 1]);
  });

  it.each([
    'url=https://evil.example',
    'u=https://evil.example&redirect=https://evil.example',
    'to=//evil.example',
    'utm_source=mail&fbclid=x',
  ])('with ?%s leads where it led', async (query) => {
    const answer = await visitor().get(`/l/${link_id}?${query}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, message.tracked_links[0].url]);
  });

  it('with headers that name another place leads where it led', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', referer: 'https://evil.example' };
    const answer = await visitor().with(headers).get(`/l/${link_id}`);
    expect(answer.headers.get('location')).toBe(message.tracked_links[0].url);
  });

  it.each([UNKNOWN, 'link_x', 'x', 'https%3A%2F%2Fevil.example', 'conv_01hzy3v7q4e8k9m2n5p6r7s8t9'])(
    'of which there is none, %s, is 404',
    async (id) => {
      const answer = await follow(id);
      expectProblem(answer, 404, 'link_not_found');
      expect(answer.headers.get('location')).toBeNull();
    },
  );
});

describe('the tracked links of a message', () => {
  it('are an empty list where there are none', async () => {
    expect(await linksOf(await receivedMail(workspace))).toEqual([]);
  });

  it('are 404 to another organization, and below another message or conversation', async () => {
    const { message } = await sent('<a href="https://acme.example/">x</a>');
    const [{ link_id }] = message.tracked_links;
    const other = await newWorkspace();
    const elsewhere = await receivedMail(workspace);
    const { conversation_id } = message;
    expectProblem(await other.api.get(`${below(message)}/tracked-links`), 404, 'conversation_not_found');
    expectProblem(
      await other.api.get(`${below(message)}/tracked-links/${link_id}`),
      404,
      'conversation_not_found',
    );
    expectProblem(await other.api.get(`tracked-links/${link_id}`), 404, 'tracked_link_not_found');
    for (const id of [UNKNOWN, 'nonsense'])
      expectProblem(await workspace.api.get(`tracked-links/${id}`), 404, 'tracked_link_not_found');
    const mixed = below({ conversation_id, message_id: elsewhere.message_id });
    expectProblem(await workspace.api.get(`${mixed}/tracked-links`), 404, 'message_not_found');
    for (const id of [link_id, UNKNOWN, 'nonsense'])
      expectProblem(
        await workspace.api.get(`${below(elsewhere)}/tracked-links/${id}`),
        404,
        'tracked_link_not_found',
      );
    expectProblem(
      await workspace.api.get(`${below(message)}/tracked-links/${UNKNOWN}`),
      404,
      'tracked_link_not_found',
    );
  });

  it('are shown to a read-only key', async () => {
    const { message } = await sent('<a href="https://acme.example/">x</a>');
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
    const reader = apiOf(workspace.organizationId, api_key);
    expect((await reader.get(`${below(message)}/tracked-links`)).status).toBe(200);
  });
});
