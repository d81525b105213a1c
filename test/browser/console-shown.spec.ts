import type { Browser, Locator, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { emailChannel, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { openConsole, violationsOf } from '../support/clients/console.js';
import { pipelineOf } from '../support/clients/pipeline.js';
import { receivedMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

let browser: Browser;
let workspace: Workspace;
let page: Page;

const open = async (path: string, options = {}): Promise<void> =>
  void (page = await openConsole(browser, workspace.key, path, options));
const boxOf = async (locator: Locator) => (await locator.boundingBox())!;

needs(CHROMIUM, hasChromium).describe('The console shows', () => {
  beforeAll(async () => {
    workspace = await newWorkspace();
    await emailChannel(workspace, 9);
    browser = await launchChromium();
  });
  afterEach(() => page.context().close());
  afterAll(() => browser.close());

  it('in each row of the inbox what they wrote, and how long they wait', async () => {
    const { conversation_id } = await receivedMail(workspace, {
      content: 'Is it in stock?',
      subject: 'Blue?',
    });
    await open('inbox');
    const row = page.locator(`a.row[href*="${conversation_id}"]`);
    await row.getByText('Is it in stock?').waitFor();
    await row.getByText(/^waits/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it.each([360, 800, 1280, 2560])(
    'at %i pixels no notice over what is being written, which stays where it is',
    async (width) => {
      const { conversation_id } = await receivedMail(workspace);
      const read = () => ok(workspace.api.get(`conversations/${conversation_id}`));
      await open(`inbox/${conversation_id}`, { viewport: { width, height: 800 } });
      await until(async () => (await read()).is_read);
      const composer = page.getByRole('region', { name: 'Answer' });
      const field = page.getByLabel('Text of the reply');
      await field.waitFor();
      const before = await boxOf(field);
      await page.keyboard.press('u');
      const notice = page.locator('.notice', { hasText: 'Marked unread.' });
      await notice.waitFor();
      const [one, other] = [await boxOf(notice), await boxOf(composer)];
      const isBeside =
        one.x + one.width <= other.x ||
        one.x >= other.x + other.width ||
        one.y + one.height <= other.y ||
        one.y >= other.y + other.height;
      expect(isBeside).toBe(true);
      expect(await boxOf(field)).toEqual(before);
    },
  );

  it('a page that was opened while nobody answered as soon as somebody does', async () => {
    await workspace.api.post('tasks', { title: 'Call Mary' });
    await open('inbox');
    await page.locator('a.row').first().waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByText('This could not be loaded').waitFor();
    await page.context().setOffline(false);
    await page.getByText('Call Mary').first().waitFor();
  });

  it('a name that turns what follows without turning what stands around it', async () => {
    const name = 'Ada \u202Efdp.exe';
    const { contact_id } = await ok(workspace.api.post('contacts', { name, email: 'ada@navy.example' }));
    await open(`contacts/${contact_id}`);
    await page.getByRole('heading', { level: 1 }).getByText('Ada').waitFor();
    await until(async () => (await page.title()).startsWith(`\u2068${name}\u2069`));
    await page.goto(page.url().replace(/contacts.*/, 'audit'));
    const row = page.getByRole('link', { name: /Contact created/ }).first();
    await row.waitFor();
    const isolations = await row
      .locator('span')
      .evaluateAll((spans) => spans.map((span) => getComputedStyle(span).unicodeBidi));
    expect(new Set(isolations)).toEqual(new Set(['isolate']));
  });

  it('to whoever goes by keys a way past the places', async () => {
    await open('contacts');
    await page.reload();
    await page.getByRole('heading', { name: 'Contacts' }).waitFor();
    await page.keyboard.press('Tab');
    const link = page.getByRole('link', { name: 'Skip to the page' });
    expect(await link.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('records-search');
  });

  it('amounts in the digits of their currency', async () => {
    const { newSale, quote } = await pipelineOf(workspace);
    await quote(await newSale('Tea'), 'JPY', '1200.3333', 3);
    await open('pipeline');
    await page.getByText('¥3,601').first().waitFor();
    expect(await page.getByText(/¥[\d,]+\./).count()).toBe(0);
  });
});
