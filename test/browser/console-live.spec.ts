import type { Browser, Page, Request } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { newKey, newWorkspace, ok, sharedUrl, type Workspace } from '../support/clients/client.js';
import { openConsole } from '../support/clients/console.js';
import { receivedMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { startFaultyLine } from '../support/stand-ins/faulty-line.js';
import { until } from '../support/until.js';

// Where no events come, the pages look once a minute: what shows sooner has come by an event.

let browser: Browser;
let workspace: Workspace;
let streams: Streams;

const asMary = { name: 'Mary Somerville', email: 'mary@contoso.example' };
const asCarl = { name: 'Carl Gauss', email: 'carl@contoso.example' };

/** The streams of events that tabs have open: the organizations of each, as they come and go. */
class Streams {
  private readonly open = new Set<Request>();

  readonly watch = (page: Page): void => {
    page.on('response', (response) => {
      const request = response.request();
      if (request.headers()['accept'] === 'text/event-stream') this.open.add(request);
    });
    page.on('requestfailed', (request) => this.open.delete(request));
    page.on('requestfinished', (request) => this.open.delete(request));
  };

  are(...organizations: string[]): Promise<void> {
    const now = () => [...this.open].map((request) => /organizations\/([^/]+)/.exec(request.url())![1]!);
    return until(() => now().join() === organizations.join());
  }
}

const show = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate((visibility) => {
    Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

needs(CHROMIUM, hasChromium).describe('The console, live', () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    workspace = await newWorkspace();
    streams = new Streams();
  });

  it('shows what comes in without a reload: in the list, and in the open thread', async () => {
    const { conversation_id } = await receivedMail(workspace, { subject: 'Blue?', contact: asMary });
    const page = await openConsole(browser, workspace.key, `inbox/${conversation_id}`, {
      watch: streams.watch,
    });
    await page.getByRole('heading', { name: 'Blue?', level: 1 }).waitFor();
    await streams.are(workspace.organizationId);
    await receivedMail(workspace, { conversation_id, content: 'Or in red?', contact: asMary });
    await page.getByRole('region', { name: 'Messages' }).getByText('Or in red?').waitFor();
    await receivedMail(workspace, { subject: 'Prices', contact: asCarl });
    await page.getByRole('link', { name: /Carl Gauss/ }).waitFor();
    await page.context().close();
  });

  it('follows one stream, which ends while nobody looks, and has missed nothing afterwards', async () => {
    const page = await openConsole(browser, workspace.key, 'inbox', { watch: streams.watch });
    await streams.are(workspace.organizationId);
    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('heading', { name: 'No conversation is here' }).waitFor();
    await streams.are(workspace.organizationId);
    await show(page, 'hidden');
    await streams.are();
    await receivedMail(workspace, { subject: 'Prices', contact: asCarl });
    await show(page, 'visible');
    await page.getByRole('link', { name: /Carl Gauss/ }).waitFor();
    await streams.are(workspace.organizationId);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await streams.are();
    await page.context().close();
  });

  it('follows the organization that is shown, and shows nothing of another', async () => {
    const other = await newWorkspace();
    const organization_ids = [workspace.organizationId, other.organizationId];
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { organization_ids }));
    await receivedMail(workspace, { subject: 'Blue?', contact: asMary });
    const page = await openConsole(browser, api_key, `inbox?org=${workspace.organizationId}`, {
      watch: streams.watch,
    });
    await page.getByRole('link', { name: /Mary Somerville/ }).waitFor();
    await page.getByLabel('Organization').selectOption(other.organizationId);
    await page.getByRole('heading', { name: 'No conversation is here' }).waitFor();
    expect(await page.getByRole('link', { name: /Mary Somerville/ }).count()).toBe(0);
    await streams.are(other.organizationId);
    await receivedMail(other, { subject: 'Prices', contact: asCarl });
    await page.getByRole('link', { name: /Carl Gauss/ }).waitFor();
    await page.context().close();
  });

  it('says that the service is lost, and catches up by itself when it is back', async () => {
    const line = await startFaultyLine(sharedUrl());
    const page = await openConsole(browser, workspace.key, 'inbox', { url: line.url, watch: streams.watch });
    await streams.are(workspace.organizationId);
    line.isDown = true;
    line.cut();
    await page.getByText('The connection is lost').waitFor();
    await receivedMail(workspace, { subject: 'Prices', contact: asCarl });
    line.isDown = false;
    await page.getByRole('link', { name: /Carl Gauss/ }).waitFor();
    await page.getByText('The connection is lost').waitFor({ state: 'hidden' });
    await receivedMail(workspace, { subject: 'Blue?', contact: asMary });
    await page.getByRole('link', { name: /Mary Somerville/ }).waitFor();
    await page.context().close();
    await line.close();
  });
});
