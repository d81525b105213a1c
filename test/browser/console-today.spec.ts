import type { Browser, Locator, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { newWorkspace } from '../support/clients/client.js';
import { openConsole, tryAgain, unrouted, violationsOf } from '../support/clients/console.js';
import { todaysWorkspace } from '../support/data/today.js';
import { needs } from '../support/needs.js';

let browser: Browser;
let workspace: Awaited<ReturnType<typeof todaysWorkspace>>;

const open = (path = 'today?window=7d', options = {}): Promise<Page> =>
  openConsole(browser, workspace.key, path, options);
const partOf = (page: Page, name: string): Locator => page.getByRole('region', { name });
const plotOf = (page: Page, name: string): Locator => page.getByRole('figure', { name });
const recordsOf = (page: Page): Locator => page.getByRole('complementary');

/** What is in the rows of a table. */
const rowsOf = (table: Locator): Promise<string[][]> =>
  table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => (cell as HTMLElement).innerText)),
    );

needs(CHROMIUM, hasChromium).describe('Today', () => {
  beforeAll(async () => {
    browser = await launchChromium();
    workspace = await todaysWorkspace();
  });
  afterAll(() => browser.close());

  it('shows who waits, the longest first, and leads to the thread and to the whole list', async () => {
    const page = await open();
    const waiting = partOf(page, 'Who waits');
    await waiting.getByText('waits 5 hr').waitFor();
    const names = await waiting.locator('.brief-name').allInnerTexts();
    expect(names.indexOf('Carl Gauss')).toBe(names.indexOf('Mary Somerville') - 1);
    expect(names).not.toContain('Emmy Noether');
    const all = waiting.getByRole('link', { name: `All ${names.length}` });
    expect(await all.getAttribute('href')).toMatch(/\/inbox\?waiting=true&sort=waiting_since$/);
    await waiting.getByRole('link', { name: /Mary Somerville/ }).click();
    await page.getByRole('heading', { name: 'Blue?', level: 1 }).waitFor();
    await page.goBack();
    await waiting.getByText('Carl Gauss').waitFor();
    await page.context().close();
  });

  it('shows open tasks that are overdue or due today, and no others', async () => {
    const page = await open();
    const tasks = partOf(page, 'Tasks due');
    await tasks.getByRole('link', { name: /Call Mary.*Ada Byron.*Overdue since/ }).waitFor();
    expect(await tasks.getByText('Call Carl').count()).toBe(0);
    await page.context().close();
  });

  it('opens the records behind a figure by mouse; reload and back show the same', async () => {
    const page = await open();
    const sent = partOf(page, 'Figures').locator('div', { hasText: /^Messages sent/ });
    await sent.getByRole('link', { name: '1', exact: true }).click();
    await recordsOf(page).getByRole('heading', { name: 'Messages sent' }).waitFor();
    await recordsOf(page)
      .getByRole('link', { name: /Emmy Noether.*Rings/ })
      .waitFor();
    await page.reload();
    const record = recordsOf(page).getByRole('link', { name: /Emmy Noether.*Rings/ });
    await record.click();
    await page.getByRole('heading', { name: 'Rings', level: 1 }).waitFor();
    expect(page.url()).toContain(`/inbox/${workspace.emmys}`);
    await page.goBack();
    await record.waitFor();
    await page.goBack();
    await recordsOf(page).waitFor({ state: 'hidden' });
    await page.context().close();
  });

  it('shows each stage with its sales and the exact sum in each currency', async () => {
    const page = await open();
    const table = partOf(page, 'Pipeline').getByRole('table');
    await table.getByRole('link').first().waitFor();
    expect(await rowsOf(table)).toEqual([
      ['Qualified', '0', '0', '–'],
      ['Quoted', '2', '0', '€10.50\n$7.00'],
      ['Accepted', '1', '0', '€1,200.50'],
      ['Fulfilled', '0', '0', '–'],
    ]);
    await table.getByRole('link', { name: '2', exact: true }).click();
    await recordsOf(page)
      .getByRole('link', { name: /Chairs.*€10\.50/ })
      .waitFor();
    await recordsOf(page)
      .getByRole('link', { name: /Tables.*\$7.00/ })
      .waitFor();
    await page.context().close();
  });

  it('shows what each agent sent and sold', async () => {
    const page = await open();
    const table = partOf(page, 'Agents').getByRole('table');
    await table.getByRole('link').first().waitFor();
    expect(await rowsOf(table)).toEqual([
      ['Ada Byron', '1', '1', '33.3%', '0', '2\n€10.50\n$7.00', '1\n€1,200.50', '0'],
    ]);
    await table.getByRole('button', { name: 'Sent' }).click();
    await table.locator('[aria-sort]', { hasText: /^Sent$/ }).waitFor();
    await table.getByRole('link', { name: '33.3%' }).click();
    await recordsOf(page).getByText('of Ada Byron').waitFor();
    await recordsOf(page).getByRole('link', { name: /Lamps/ }).waitFor();
    await recordsOf(page).getByRole('link', { name: 'Sales created' }).click();
    await recordsOf(page)
      .getByRole('link', { name: /Chairs/ })
      .waitFor();
    await page.context().close();
  });

  it('says so where nothing has happened', async () => {
    const empty = await newWorkspace();
    const page = await openConsole(browser, empty.key, 'today');
    await page.getByText('Nobody waits').waitFor();
    await page.getByText('Nothing is due today').waitFor();
    await partOf(page, 'Figures').getByText('–').first().waitFor();
    await plotOf(page, 'Response rate').locator('.points').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  it('shows the rest when one part cannot be loaded, and loads it again on demand', async () => {
    const page = await open('inbox');
    await page.route('**/analytics/agents?*', (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', json: { detail: 'Broken.' } }),
    );
    await page.getByRole('navigation').getByRole('link', { name: 'Today' }).click();
    const agents = partOf(page, 'Agents');
    await agents.getByText('This could not be loaded').waitFor();
    await partOf(page, 'Pipeline').getByRole('link', { name: '2', exact: true }).waitFor();
    await unrouted(page);
    await tryAgain(agents);
    await agents.getByText('Ada Byron').waitFor();
    await page.context().close();
  });
});
