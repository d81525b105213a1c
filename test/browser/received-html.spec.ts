import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium, newPage } from '../support/clients/browser.js';
import { emailChannel, newWorkspace, ok } from '../support/clients/client.js';
import { HOSTILE_HTML } from '../support/data/hostile-html.js';
import { postMail, rawMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

/** Real e-mails that are kept beside the project and not in it. */
const FOLDER = join(import.meta.dirname, '../../../shared/data/eml');
const FILES = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.eml')) : [];

/** What somebody may set who shows mails and wants nobody to learn of that. */
const STRICT = `default-src 'none'; img-src data:; style-src 'unsafe-inline'`;

const ID = 'Content-ID: <<img src=x onerror=top.ran.push`1`>>';

/** The HTML in a mail, with a picture whose name is a tag. */
const mailOf = (html: string) =>
  rawMail({
    headers: ['MIME-Version: 1.0', 'Content-Type: multipart/related; boundary="=_b"'],
    body: [
      ...['--=_b', 'Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: base64', ''],
      Buffer.from(html).toString('base64').replace(/.{76}/g, '$&\n'),
      ...['--=_b', 'Content-Type: image/png', ID, '', 'x', '--=_b--'],
    ].join('\n'),
  });

interface Visit {
  /** How often something ran. */
  ran: number;
  dialogs: string[];
  /** What was asked of any server but the page itself: its kind and its URL. */
  requests: [kind: string, url: string][];
  page: Page;
}

let browser: Browser;
let server: Server;
let served: { html: string; policy?: string };

/** Shows the HTML in a browser as a page. */
async function open(html: string, policy?: string): Promise<Visit> {
  served = { html, policy };
  const { port } = server.address() as AddressInfo;
  const page = await newPage(browser);
  const seen: Visit = { ran: 0, dialogs: [], requests: [], page };
  page.on('dialog', (dialog) => {
    seen.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const own = `http://127.0.0.1:${port}/`;
  await page.route('**/*', (route) => {
    const { url, kind } = { url: route.request().url(), kind: route.request().resourceType() };
    if (url === own) return route.continue();
    seen.requests.push([kind, url]);
    return route.fulfill({ status: 404, body: '' });
  });
  await page.addInitScript('window.ran ??= []');
  await page.goto(own, { waitUntil: 'domcontentloaded' });
  return seen;
}

/** Shows it as a page, then twice again as a script would put it there, until all is asked for. */
async function visit(html: string, policy?: string): Promise<Visit> {
  const seen = await open(html, policy);
  const { page } = seen;
  await page.evaluate(() => {
    for (let time = 0; time < 2; time++)
      for (const one of document.querySelectorAll('body > section')) one.innerHTML = String(one.innerHTML);
  });
  await page.waitForLoadState('networkidle');
  seen.ran = await page.evaluate('window.ran.length');
  return seen;
}

/** Each on its own, with a mark behind it. */
const pageOf = (all: string[]): string =>
  `<!DOCTYPE html><meta charset="utf-8"><title>Mails</title><body>${all
    .map((html) => `<section>${html}</section><hr class="mark">`)
    .join('\n')}</body>`;

/** A page that shows each in a frame, as it came. */
const framesOf = (all: string[]): string =>
  `<!DOCTYPE html><meta charset="utf-8"><body>${all
    .map((html) => `<iframe srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`)
    .join('\n')}</body>`;

/** What pictures, fonts and style sheets were asked of: the server that the mails name, or the page's own. */
const PASSIVE = ['image', 'font', 'stylesheet'];
const ASKED = /^https:\/\/cdn\.example\/|^http:\/\/127\.0\.0\.1:\d+\/|^https?:\/\/x\/|^x:x$/;

/** Some of what the mails name. */
const NAMED = ['a.css', 'a.woff2', 'a.png', 'background.png'].map((it) => `https://cdn.example/${it}`);

const ACTIVE =
  'script, iframe, frame, object, embed, svg, math, form, input, button, select, base, meta[http-equiv]';

/** What is left in the page that could run; links by their scheme. */
const activeIn = (page: Page): Promise<string[]> =>
  page.evaluate((active) => {
    const found: string[] = [];
    for (const one of document.querySelectorAll('body *')) {
      if (one.matches(active)) found.push(one.outerHTML);
      for (const { name } of one.attributes) if (/^on|^srcdoc$|^ping$/.test(name)) found.push(one.outerHTML);
      if (one instanceof HTMLAnchorElement && !/^(https?:|mailto:|tel:|$)/.test(one.href && one.protocol))
        found.push(one.outerHTML);
    }
    return found;
  }, ACTIVE);

needs(CHROMIUM, hasChromium).describe('the HTML of received mails, shown in a browser', () => {
  let shown: string[];

  beforeAll(async () => {
    server = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html; charset=utf-8');
      if (served.policy) answer.setHeader('content-security-policy', served.policy);
      answer.end(served.html);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await launchChromium();
    const workspace = await newWorkspace();
    const channel = await emailChannel(workspace, 1);
    const messages = [];
    for (const html of HOSTILE_HTML) messages.push(await ok(postMail(channel, mailOf(html))));
    shown = messages.map(({ body_html }) => body_html ?? '');
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  it('would run dozens of times as it came', async () => {
    const { page } = await open(framesOf(HOSTILE_HTML));
    // Some of them never end asking for more.
    await page.waitForFunction('window.ran.length > 60');
    await page.close();
  });

  it('runs nothing, and asks for nothing but the pictures, fonts and style sheets it names', async () => {
    const { dialogs, requests, page } = await visit(pageOf(shown));
    const isAsked = (url: string) => requests.some(([, one]) => one === url);
    await until(() => NAMED.every(isAsked));
    const ran = await page.evaluate('window.ran.length');
    const active = await activeIn(page);
    const marks = await page.locator('hr.mark').count();
    await page.close();
    expect({ ran, dialogs, active }).toEqual({ ran: 0, dialogs: [], active: [] });
    expect(requests.filter(([kind, url]) => !PASSIVE.includes(kind) || !ASKED.test(url))).toEqual([]);
    expect(marks).toBe(HOSTILE_HTML.length);
  });

  it('asks for nothing at all where a policy forbids it', async () => {
    const { ran, dialogs, requests, page } = await visit(pageOf(shown), STRICT);
    await page.close();
    expect({ ran, dialogs, requests }).toEqual({ ran: 0, dialogs: [], requests: [] });
  });

  needs('real e-mails, which are kept beside the project', FILES.length > 0).it(
    'runs nothing of real mails, and asks for nothing where a policy forbids it',
    async () => {
      const channel = await emailChannel(await newWorkspace(), 1);
      const all: string[] = [];
      for (const file of FILES) {
        const { body } = await postMail(channel, Buffer.from(readFileSync(join(FOLDER, file))));
        if (body.body_html) all.push(body.body_html);
      }
      expect(all.length).toBeGreaterThan(5);
      const seen = await visit(pageOf(all));
      expect([seen.dialogs, await activeIn(seen.page)]).toEqual([[], []]);
      expect(seen.requests.filter(([kind]) => !PASSIVE.includes(kind))).toEqual([]);
      await seen.page.close();
      const { requests, page } = await visit(pageOf(all), STRICT);
      await page.close();
      expect(requests).toEqual([]);
    },
  );
});
