import { readdirSync, readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium, newPage } from '../support/clients/browser.js';
import {
  emailChannel,
  type Json,
  newKey,
  newWorkspace,
  ok,
  sharedUrl,
  type Workspace,
} from '../support/clients/client.js';
import {
  closeDialog,
  consoleUrl,
  focused,
  holdReplies,
  openConsole,
  pressUntil,
  untilFound,
  violationsOf,
} from '../support/clients/console.js';
import { HOSTILE_HTML } from '../support/data/hostile-html.js';
import { receivedMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

let browser: Browser;
let workspace: Workspace;
let smtp: TestSmtp;
let page: Page;
let first: Json;

const asMary = { name: 'Mary Somerville', email: 'mary@contoso.example' };
const asCarl = { name: 'Carl Gauss', email: 'carl@contoso.example' };

const FIVE_MEGABYTES_OF_TABLES = '<table><tr><td>'.repeat(350_000);
/** What would lie over the page and lead away from it. */
const COVERS = `<style>* { position: fixed; inset: 0; z-index: 2147483647 }</style>
  <meta http-equiv="refresh" content="0;url=https://evil.example/refresh"><base href="https://evil.example/">
  <form action="https://evil.example/form"><input autofocus><button>Win</button></form>`;

needs(CHROMIUM, hasChromium).describe('The console', () => {
  beforeAll(async () => {
    smtp = await startSmtp();
    workspace = await newWorkspace();
    await emailChannel(workspace, smtp.port);
    first = await receivedMail(workspace, {
      subject: 'Blue?',
      content: 'Do you have it in blue?',
      contact: asMary,
    });
    const second = await receivedMail(workspace, {
      subject: 'Prices',
      content: 'What does the table cost?',
      contact: asCarl,
    });
    const { contact_id } = await ok(workspace.api.get(`conversations/${second.conversation_id}`));
    await untilFound(workspace.api, 'blue', first.message_id);
    await untilFound(workspace.api, 'table', second.message_id);
    await untilFound(workspace.api, 'carl', contact_id);
    browser = await launchChromium();
    page = await openConsole(browser, workspace.key, 'inbox', { watch: holdReplies });
  });
  afterAll(async () => {
    await browser.close();
    await smtp.close();
  });

  it('is at most 130 KB of compressed script', () => {
    const folder = 'dist/console/assets';
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js.br'));
    const bytes = scripts.reduce((sum, name) => sum + readFileSync(`${folder}/${name}`).length, 0);
    expect(scripts).not.toEqual([]);
    expect(bytes).toBeLessThanOrEqual(130_000);
  });

  it('is served with a policy without inline scripts, its files for good, any path below it as itself', async () => {
    const deep = await fetch(`${sharedUrl()}/console/inbox/conv_1?status=open`);
    const html = await deep.text();
    expect(deep.headers.get('cache-control')).toBe('no-cache');
    const policy = deep.headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
    const asset = new URL(/src="([^"]+\.js)"/.exec(html)![1]!, deep.url);
    const script = await fetch(asset, { headers: { 'accept-encoding': 'br' } });
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-encoding')).toBe('br');
  });

  it('refuses a key that is none, and says what to do', async () => {
    const other = await newPage(browser);
    await other.goto(consoleUrl());
    await other.getByLabel('API key').fill('parley_none');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByText('This key is not valid').waitFor();
    await other.close();
  });

  it('keeps the key nowhere in the browser', async () => {
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
    expect(kept).not.toContain(workspace.key);
  });

  it('shows conversations, and one of them with its contact, by mouse', async () => {
    await page.getByRole('link', { name: /Mary Somerville/ }).click();
    await page.getByRole('heading', { name: 'Blue?', level: 1 }).waitFor();
    await page.getByText('Do you have it in blue?').last().waitFor();
    await page.getByRole('button', { name: 'Contact', exact: true }).click();
    await page.getByRole('complementary').getByText(asMary.email).waitFor();
    expect(page.url()).toContain(`/inbox/${first.conversation_id}?panel=on`);
    await page.getByRole('button', { name: 'Hide the contact' }).click();
  });

  it('has read what was opened', async () => {
    const conversation = `conversations/${first.conversation_id}`;
    await until(async () => (await ok(workspace.api.get(conversation))).is_read);
  });

  it('goes through the list, writes, sends and takes back, by keyboard', async () => {
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Prices', level: 1 }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Blue?', level: 1 }).waitFor();
    await pressUntil(page, 'r', focused(page.getByLabel('Text of the reply')));
    await page.keyboard.type('Yes, <in> blue.');
    // While it is being saved, it cannot be sent.
    await page.getByText(/^Draft saved/).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^Leaves in \d+ s\.$/).waitFor();
    await page.getByRole('button', { name: 'Take back' }).press('Enter');
    await page.getByText(/^Draft saved/).waitFor();
    expect(await page.getByLabel('Text of the reply').inputValue()).toBe('Yes, <in> blue.');
    expect(smtp.mails).toEqual([]);
  });

  it('sends now, and shows the sent message', async () => {
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByRole('article', { name: 'Ada Byron, sent' }).getByText('Yes, <in> blue.').waitFor();
    expect(smtp.mails.map(({ parsed }) => parsed.text?.trim())).toEqual(['Yes, <in> blue.']);
  });

  it('says why a delivery is not done, and when it is tried again', async () => {
    const { conversation_id } = await receivedMail(workspace, { subject: 'Full?', contact: asCarl });
    await emailChannel(workspace, 1);
    const body = { body_html: '<p>No.</p>', autosend_draft: true, add_notification: false };
    await ok(workspace.api.post(`conversations/${conversation_id}/response-drafts`, body));
    await page.goto(`${consoleUrl()}/inbox/${conversation_id}`);
    await page.getByText(/^Not sent yet\. The next try is/).waitFor();
    await page.getByText(/^Reason: .*ECONNREFUSED/).waitFor();
    await emailChannel(workspace, smtp.port);
  });

  it('stays signed in over a reload until one signs out, with the key in no storage', async () => {
    const tab = await openConsole(browser, workspace.key, 'inbox', {});
    await tab.getByRole('link', { name: /Mary Somerville/ }).waitFor();
    await tab.reload();
    await tab.getByRole('link', { name: /Mary Somerville/ }).waitFor();
    const stored = JSON.stringify(await tab.context().storageState());
    expect(stored).toContain('parley_session');
    expect(stored).not.toContain(workspace.key);
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByLabel('API key').waitFor();
    await tab.reload();
    await tab.getByLabel('API key').waitFor();
    await tab.context().close();
  });

  it('closes a conversation, and opens it again by undo', async () => {
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
  });

  it('adds a comment that colleagues alone see', async () => {
    await page.getByRole('heading', { name: 'Full?', level: 1 }).click();
    await pressUntil(page, 'c', focused(page.getByLabel(/^Comment, for colleagues only/)));
    await page.keyboard.type('Ask the warehouse.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article', { name: 'Ada Byron, Comment' }).getByText('Ask the warehouse.').waitFor();
  });

  it('searches as one types, and marks what is found', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('tab');
    await page.waitForURL(/q=tab$/);
    await page.locator('mark', { hasText: 'tab' }).waitFor();
    await page.getByLabel('Search').fill('');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('carl');
    await page
      .getByRole('option', { name: /Carl Gauss/ })
      .first()
      .waitFor();
    await closeDialog(page);
  });

  it('offers nothing that the key may not do', async () => {
    const readOnly = { read_only: true };
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, readOnly));
    const reader = await openConsole(browser, api_key, `inbox/${first.conversation_id}`);
    await reader.getByText('This key reads only.').waitFor();
    expect(await reader.getByRole('button', { name: /Send|Close|Snooze/ }).count()).toBe(0);
    await reader.context().close();
  });

  it('says that the connection is lost, keeps what is seen, and comes back by itself', async () => {
    await page.getByRole('link', { name: /Mary Somerville/ }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: /Mary Somerville/ }).click();
    await page.getByText('The connection is lost').waitFor();
    await page
      .getByRole('link', { name: /Carl Gauss/ })
      .first()
      .waitFor();
    await page.context().setOffline(false);
    await page.getByText('The connection is lost').waitFor({ state: 'hidden' });
    await page.getByText('Do you have it in blue?').last().waitFor();
  });

  it('shows a hostile mail that can do nothing, even one that the service has not cleaned', async () => {
    const asked: string[] = [];
    const fields = { subject: 'Prize', content: 'Hello', body_html: '<ul><li>Hello</ul>', contact: asCarl };
    await receivedMail(workspace, fields);
    const victim = await openConsole(browser, workspace.key);
    await victim.evaluate('top.ran = []');
    await victim.route('**/messages?*', async (route) => {
      const answer = await route.fetch();
      const page = await answer.json();
      page.data[0].body_html = HOSTILE_HTML.join('') + COVERS + FIVE_MEGABYTES_OF_TABLES;
      await route.fulfill({ response: answer, json: page });
    });
    // What the policy refuses never comes so far.
    await victim.context().route(/\.example/, (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
    victim.on('dialog', (dialog) => asked.push(dialog.message()));
    await victim.getByRole('link', { name: /Prize/ }).click();
    await victim.getByRole('heading', { name: 'Prize', level: 1 }).waitFor();
    const between = victim.frameLocator('iframe.mail');
    // What is hostile stands before it.
    await between.frameLocator('iframe').locator('table').first().waitFor();
    // What was asked for before this has come, too.
    await victim.evaluate('fetch(location.href).then(() => undefined)');
    expect(asked).toEqual([]);
    expect(await victim.evaluate('top.ran')).toEqual([]);
    expect(await victim.title()).toBe('Prize · Parley');
    expect(await between.locator('iframe').getAttribute('sandbox')).not.toMatch(/script|origin|form|top/);
    // Images, once somebody has asked for them, and nothing else.
    await victim.getByRole('button', { name: 'Load images' }).click();
    await until(() => asked.length > 0);
    // A prefetch may be made where any directive lets it (CSP 3, 6.8.2), and tells no more than an image does.
    expect(asked.filter((url) => !/\.(png|gif|jpe?g)\b|evil\.example\/x$/.test(url))).toEqual([]);
    expect(await victim.evaluate('top.ran')).toEqual([]);
    // What is beside the frame is still to be used.
    await victim.getByRole('button', { name: 'Mark unread' }).click();
    await victim.context().close();
  });

  it.each(['light', 'dark'] as const)('has nothing that axe-core finds wrong, %s', async (colorScheme) => {
    const found: Record<string, string[]> = {};
    const tab = await openConsole(browser, workspace.key, 'inbox', { colorScheme });
    const look = async (name: string) => void (found[name] = await violationsOf(tab));
    await tab.getByRole('link', { name: /Mary Somerville/ }).waitFor();
    await look('inbox');
    await tab.getByRole('button', { name: 'Filters' }).click();
    await tab.getByRole('link', { name: /Mary Somerville/ }).click();
    await tab.getByText('Do you have it in blue?').last().waitFor();
    await tab.getByRole('button', { name: 'Contact', exact: true }).click();
    await tab.getByRole('complementary').getByText(asMary.email).waitFor();
    await look('thread with contact and filters');
    await tab.getByRole('button', { name: 'Hide the contact' }).click();
    await tab.getByRole('button', { name: 'Snooze' }).click();
    await look('menu');
    await tab.keyboard.press('Escape');
    await tab.keyboard.press('?');
    await tab.getByRole('dialog').waitFor();
    await look('keys');
    await closeDialog(tab);
    await tab.keyboard.press('Control+k');
    await tab.keyboard.type('blue');
    await tab.getByRole('option', { name: 'Blue?' }).first().waitFor();
    await look('palette');
    await closeDialog(tab);
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByLabel('API key').waitFor();
    await look('sign in');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    await tab.context().close();
  });
});
