import type { Browser, Page, Request } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium, newPage } from '../support/clients/browser.js';
import {
  emailChannel,
  type Json,
  newKey,
  newWorkspace,
  ok,
  type Workspace,
} from '../support/clients/client.js';
import {
  closeDialog,
  consoleUrl,
  openConsole,
  pressUntil,
  type TabOptions,
  tryAgain,
  unrouted,
  violationsOf,
} from '../support/clients/console.js';
import { autosend, draftsOf, draftWith, receivedMail } from '../support/data/mail.js';
import { firstMessage, messageDraftWith } from '../support/data/message-drafts.js';
import { needs } from '../support/needs.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { startTwilio, type TestTwilio, textsBy } from '../support/stand-ins/twilio.js';
import { until } from '../support/until.js';

let browser: Browser;
let server: Server;
let workspace: Workspace;
let smtp: TestSmtp;
let twilio: TestTwilio;
let page: Page;
let failed: Json;
let uncertain: Json;

const open = (key: string, path: string, options: TabOptions = {}): Promise<Page> =>
  openConsole(browser, key, path, { url: server.url, ...options });

const at = (path: string): string => `${consoleUrl(server.url)}/operations/${path}`;

needs(CHROMIUM, hasChromium).describe('Operations in the console', () => {
  beforeAll(async () => {
    server = await startServer({ env: { PARLEY_PUBLIC_ULR: 'x' } });
    workspace = await newWorkspace({ url: server.url, organization: { name: 'Navy' } });
    [smtp, twilio] = await Promise.all([startSmtp(), startTwilio()]);
    await emailChannel(workspace, smtp.port);
    await textsBy(workspace, twilio.url);
    smtp.respond.data = () => ({ code: 550, text: 'no such user' });
    twilio.respond = () => 'drop';
    const { api } = workspace;
    failed = await ok(api.post(draftsOf(await receivedMail(workspace)), autosend()));
    await draftWith(workspace, failed, 'failed');
    uncertain = await ok(api.post('message-drafts', firstMessage({ modality: 'text' })));
    await messageDraftWith(workspace, uncertain, 'uncertain');
    browser = await launchChromium();
    page = await open(server.adminKey, '');
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([smtp.close(), twilio.close(), server.stop()]);
    removeDataDir(server.dataDir);
  });

  it('are what the operator key opens, and refuse another', async () => {
    await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor();
    const places = page.getByRole('navigation', { name: 'Places' }).getByRole('link');
    expect(await places.allInnerTexts()).toEqual(['Operations', 'Audit']);
    const other = await newPage(browser);
    await other.goto(consoleUrl(server.url));
    await other.getByLabel('operator key').fill('admin-key-of-nobody');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByText('This key is not valid').waitFor();
    await other.context().close();
  });

  it('stay open over a reload, with nothing refused meanwhile, until one signs out', async () => {
    const tab = await open(server.adminKey, 'operations/read-models');
    const refused: string[] = [];
    const asked = new Set<Request>();
    const note = (request: Request) => void asked.add(request);
    tab.on('request', note);
    tab.on('response', (response) => {
      if (response.status() >= 400 && asked.has(response.request()))
        refused.push(`${response.status()} ${response.url()}`);
    });
    await tab.reload();
    await tab.getByRole('button', { name: 'Rebuild audit' }).waitFor();
    const stored = JSON.stringify(await tab.context().storageState());
    expect(stored).not.toContain(server.adminKey);
    // What is under way when one signs out may be refused.
    tab.off('request', note);
    asked.clear();
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByLabel('API key').waitFor();
    tab.on('request', note);
    await tab.reload();
    await tab.getByLabel('API key').waitFor();
    expect(refused).toEqual([]);
    await tab.context().close();
  });

  it('show an API key what is of its organization: deliveries and webhooks', async () => {
    const tab = await open(workspace.key, 'operations');
    const tabs = tab.getByRole('navigation', { name: 'What to operate' }).getByRole('link');
    await tabs.first().waitFor();
    expect(await tabs.allInnerTexts()).toEqual(['Deliveries', 'Webhooks']);
    await tab.getByRole('link', { name: /^Uncertain Grace Hopper/ }).waitFor();
    await tab.getByRole('link', { name: /^Failed Grace/ }).click();
    await tab.getByRole('link', { name: 'Open the conversation' }).click();
    await tab.waitForURL(/\/inbox\/conv_/);
    await tab.goto(at('keys'));
    await tab.getByText('There is no such page').waitFor();
    await tab.context().close();
  });

  it('show a key that only reads no button that changes anything', async () => {
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
    const tab = await open(api_key, `operations/deliveries/${failed.response_id}`);
    await tab.getByText('no such user').last().waitFor();
    expect(await tab.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    await tab.getByRole('link', { name: 'Webhooks' }).click();
    await tab.getByText('No webhook is set up').waitFor();
    expect(await tab.getByRole('link', { name: 'Make a webhook' }).count()).toBe(0);
    await tab.context().close();
  });

  it('go from tab to tab by keyboard, each with its address', async () => {
    await pressUntil(page, ']', page.locator('.tabs [aria-current]', { hasText: 'Doctor' }));
    await page.getByText('PARLEY_PUBLIC_ULR is set').waitFor();
    expect(page.url()).toBe(at('doctor'));
    await page.keyboard.press('[');
    await page.waitForURL(at('metrics'));
    await page.goBack();
    await page.waitForURL(at('doctor'));
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Next tab').waitFor();
    await closeDialog(page);
  });

  it('say what is wrong, what to do about it, and, when asked, which provider refuses', async () => {
    const port = smtp.port;
    await emailChannel(workspace, 1);
    await page.getByText('What to do: Correct its name').waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'channel email' }).count()).toBe(0);
    await page.getByLabel('Try every channel').check();
    await page.getByText(/its provider cannot be used: .*ECONNREFUSED/).waitFor();
    expect(page.url()).toBe(`${at('doctor')}?channels=true`);
    await page.getByRole('listitem').first().getByText('Broken').waitFor();
    await emailChannel(workspace, port);
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByText(/its provider cannot be used: .*ECONNREFUSED/).waitFor({ state: 'hidden' });
  });

  it('plot what the process measures, each with its number and a table that has an address', async () => {
    await page.goto(at('metrics'));
    const plot = page.getByRole('figure').filter({ hasText: 'Requests' }).first();
    await plot.getByText(/^[\d.]+\/s$/).waitFor();
    await plot.getByRole('img', { name: /^Requests over the last ten minutes: now [\d.]+\/s/ }).waitFor();
    await page.getByRole('button', { name: 'Table of Workers' }).click();
    await page.waitForURL(`${at('metrics')}?table=workers`);
    await page.reload();
    await page.getByRole('table').getByRole('cell', { name: '1', exact: true }).first().waitFor();
    const failing = page.getByRole('figure').filter({ hasText: 'Failed or uncertain messages' });
    await failing.getByText('2', { exact: true }).waitFor();
  });

  it('keep the plots, and say so, while the metrics do not answer', async () => {
    await page.route(/^[^/]+\/\/[^/]+\/metrics$/, (route) => route.fulfill({ status: 500, body: '' }));
    await page.getByText('The metrics do not answer now').waitFor();
    await page.getByRole('figure').first().waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
    await unrouted(page);
  });

  it('show deliveries by their state with the reason, and send a failed one again', async () => {
    await page.goto(at('deliveries'));
    await page.getByRole('link', { name: /^Failed Navy/ }).click();
    await page.waitForURL(at(`deliveries/${failed.response_id}`));
    const detail = page.getByRole('definition').filter({ hasText: 'no such user' });
    await detail.waitFor();
    await page.reload();
    await detail.waitFor();
    smtp.respond.data = undefined;
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('It is sent again.').waitFor();
    await smtp.waitFor(1);
    await page.getByText('It is being sent again').waitFor();
    expect(await page.getByText('It is not in this list').count()).toBe(0);
    await page.getByLabel('Status').selectOption('Retrying');
    await page.getByText('No delivery has this status').waitFor();
    expect(page.url()).toBe(`${at('deliveries')}?status=retrying`);
  });

  it('ask before an uncertain delivery is sent again, by keyboard', async () => {
    await page.goto(at('deliveries'));
    await page.getByLabel('Status').selectOption('Uncertain');
    await page.getByRole('link', { name: /^Uncertain Navy/ }).waitFor();
    await page.getByRole('heading', { name: 'Operations' }).click();
    await page.keyboard.press('j');
    await page.waitForURL(`${at(`deliveries/${uncertain.draft_id}`)}?status=uncertain`);
    const asked = twilio.texts.length;
    await page.getByRole('button', { name: 'Send again' }).press('Enter');
    const question = page.getByRole('dialog').getByText('It may have arrived.');
    await question.waitFor();
    await closeDialog(page);
    expect(twilio.texts.length).toBe(asked);
    twilio.respond = undefined;
    await page.getByRole('button', { name: 'Send again' }).press('Enter');
    await question.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('It is sent again.').waitFor();
    await until(() => twilio.texts.length > asked);
  });

  it('say that nothing has failed where nothing has, and what to do where they are not told', async () => {
    await page.goto(at('deliveries'));
    await page.getByRole('heading', { name: 'Nothing has failed' }).waitFor();
    await page.route('**/admin/v1/deliveries*', (route) => route.fulfill({ status: 500, body: '' }));
    await page.reload();
    await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
    await unrouted(page);
    await tryAgain(page);
    await page.getByRole('heading', { name: 'Nothing has failed' }).waitFor();
  });

  it('rebuild a read model once that is confirmed, with its progress and the time that is left', async () => {
    await page.goto(at('read-models'));
    await page.getByRole('button', { name: 'Rebuild audit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Rebuild audit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }).click();
    await page.getByText('audit is being rebuilt.').waitFor();
    const audit = page.getByRole('listitem').filter({ hasText: 'audit' }).first();
    await audit.getByText('Up to date').waitFor();
    // One of a large database lasts.
    await page.route('**/admin/v1/projections', async (route) => {
      const answer = await route.fetch();
      const { data } = await answer.json();
      const rebuild = { progress: 0.42, seconds_left: 71.5 };
      const under = (one: Json) => (one.name === 'audit' ? { ...one, status: 'rebuilding', rebuild } : one);
      await route.fulfill({ response: answer, json: { data: data.map(under) } });
    });
    await page.reload();
    await audit.getByText('42% · about 1 min left').waitFor();
    expect(await audit.getByRole('progressbar').getAttribute('value')).toBe('0.42');
    expect(await audit.getByRole('button').isDisabled()).toBe(true);
    await unrouted(page);
    await audit.getByText('Up to date').waitFor();
  });

  it.each(['light', 'dark'] as const)('have nothing that axe-core finds wrong, %s', async (colorScheme) => {
    const found: Record<string, string[]> = {};
    const tab = await open(server.adminKey, 'operations', { colorScheme });
    const look = async (name: string) => void (found[name] = await violationsOf(tab));
    await tab.getByRole('button', { name: 'Table of Server errors' }).click();
    await tab.getByRole('table').waitFor();
    await look('metrics');
    await tab.goto(at('doctor'));
    await tab.getByText('What to do').first().waitFor();
    await look('doctor');
    await tab.goto(at('deliveries'));
    await tab.getByText('Nothing has failed').waitFor();
    await look('deliveries');
    await tab.goto(at('read-models'));
    await tab.getByRole('button', { name: 'Rebuild audit' }).click();
    await tab.getByRole('dialog').waitFor();
    await look('question');
    await closeDialog(tab);
    await look('read models');
    await tab.setViewportSize({ width: 360, height: 740 });
    await look('read models on a telephone');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    await tab.context().close();
  });
});
