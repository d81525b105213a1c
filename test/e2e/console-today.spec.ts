import type { Browser, Locator, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { type Json, newWorkspace, ok } from '../support/clients/client.js';
import { openConsole, violationsOf } from '../support/clients/console.js';
import { received } from '../support/data/records.js';
import { salesWorkspace, type SalesWorkspace } from '../support/data/sales.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ago = (time: number): string => new Date(Date.now() - time).toISOString();

const asMary = { name: 'Mary Somerville', email: 'mary@contoso.example' };
const asCarl = { name: 'Carl Gauss', phone_number: '+15550100' };
const asEmmy = { name: 'Emmy Noether', email: 'emmy@contoso.example' };

let browser: Browser;
let workspace: SalesWorkspace;
let emmys: Json;

/** Mary waits, Carl waits longer, Emmy was answered three days ago; a sale in each of two stages. */
async function fill(): Promise<void> {
  workspace = await salesWorkspace();
  const { api, agentId, stages } = workspace;
  await ok(received(api, { contact: asMary, subject: 'Blue?', sent_at: ago(2 * HOUR) }));
  await ok(received(api, { contact: asCarl, modality: 'text', content: 'Prices?', sent_at: ago(5 * HOUR) }));
  emmys = await ok(received(api, { contact: asEmmy, subject: 'Rings', sent_at: ago(3 * DAY) }));
  const { conversation_id } = emmys;
  const answer = { conversation_id, message_direction: 'sent', agent_id: agentId };
  await ok(received(api, { ...answer, sent_at: ago(3 * DAY - HOUR / 2) }));
  for (const [nr, name, currency, unit_price] of [
    [1, 'Chairs', 'EUR', '10.5025'],
    [1, 'Tables', 'USD', '7'],
    [2, 'Lamps', 'EUR', '1200.50'],
  ] as const) {
    const { sale_id } = await workspace.open({ name, owner_id: agentId, status_id: stages[nr].status_id });
    const products = [{ product_name: name, quantity: 1, unit_price }];
    await ok(api.put(`sales/${sale_id}/quote`, { currency, products }));
  }
  await ok(api.post('tasks', { title: 'Call Mary', due_at: ago(2 * DAY), agent_id: agentId }));
  await ok(api.post('tasks', { title: 'Call Carl', due_at: ago(-30 * DAY) }));
  const window = { start_date: ago(DAY), end_date: ago(-DAY) };
  const written = new Date().toISOString();
  await until(async () => (await ok(api.get('analytics/sales', window))).as_of > written);
}

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
    await fill();
  });
  afterAll(() => browser.close());

  it('shows who waits, the longest first, and leads to the thread and to the whole list', async () => {
    const page = await open();
    const waiting = partOf(page, 'Who waits');
    await waiting.getByText('waits 5 hr').waitFor();
    const names = await waiting.locator('.line-name').allInnerTexts();
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
    expect(page.url()).toContain(`/inbox/${emmys.conversation_id}`);
    await page.goBack();
    await record.waitFor();
    await page.goBack();
    await recordsOf(page).waitFor({ state: 'hidden' });
    await page.context().close();
  });

  it('opens the records behind a point by keyboard, and gives the focus back', async () => {
    const page = await open();
    const points = plotOf(page, 'Messages').locator('.points');
    await points.getByRole('link').last().focus();
    for (let back = 0; back < 3; back++) await page.keyboard.press('ArrowLeft');
    const focused = page.locator(':focus');
    expect(await focused.getAttribute('aria-label')).toMatch(/: Received 1, before 0; Sent \d, before 0$/);
    const name = await focused.getAttribute('aria-label');
    await page.keyboard.press('Enter');
    await recordsOf(page)
      .getByRole('link', { name: /Emmy Noether/ })
      .waitFor();
    expect(await points.locator('[aria-current]').getAttribute('aria-label')).toBe(name);
    await page.keyboard.press('Escape');
    await recordsOf(page).waitFor({ state: 'hidden' });
    expect(await focused.getAttribute('aria-label')).toBe(name);
    await page.context().close();
  });

  it('reaches each plot by one stop of the Tab key', async () => {
    const page = await open();
    await plotOf(page, 'Messages').locator('.points').waitFor();
    for (const points of await page.locator('.points').all())
      expect(await points.locator('[tabindex="0"]').count()).toBe(1);
    await page.context().close();
  });

  it('has beside each plot a table of what the API answers, each number with its records', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Messages: table' }).press('Enter');
    const table = plotOf(page, 'Messages').getByRole('table');
    await table.waitFor();
    const links = table.getByRole('link');
    const [first, last] = await Promise.all(
      [links.first(), table.locator('tbody tr').last().getByRole('link').first()].map(
        async (link) => new URL((await link.getAttribute('href'))!, 'http://x').searchParams,
      ),
    );
    const window = { start_date: first!.get('start_date')!, end_date: last!.get('end_date')! };
    const { buckets } = await ok(
      workspace.api.get('analytics/series', { ...window, interval: 'day', metric: 'volume' }),
    );
    expect((await rowsOf(table)).map((cells) => cells.slice(1, 3))).toEqual(
      buckets.map(({ volumeStats: { numMessagesReceived, numMessagesSent } }: Json) => [
        String(numMessagesReceived),
        String(numMessagesSent),
      ]),
    );
    expect(page.url()).toContain('tables=volume');
    await page.reload();
    await table.waitFor();
    await page.getByRole('button', { name: 'Messages: table' }).click();
    await plotOf(page, 'Messages').locator('.points').waitFor();
    await page.keyboard.press('t');
    await expectTables(page, 4);
    await page.context().close();
  });

  it('keeps the window and how it is cut in the address', async () => {
    const page = await open('today');
    await page.keyboard.press('w');
    await page.getByLabel('Window').selectOption('Last 13 weeks');
    await page.getByLabel('Cut by').selectOption('Months');
    await page.reload();
    expect(page.url()).toMatch(/\?window=13w&interval=month$/);
    expect(await page.getByLabel('Window').inputValue()).toBe('13w');
    const points = plotOf(page, 'Messages').locator('.points a');
    await points.first().waitFor();
    expect([3, 4]).toContain(await points.count());
    await page.getByLabel('Window').selectOption('From … to …');
    await page.getByLabel('First day').fill('2026-01-01');
    await page.getByLabel('Last day').fill('2026-01-31');
    await page.getByText('Jan 1 – 31, 2026, compared with').waitFor();
    expect(page.url()).toMatch(/from=2026-01-01&to=2026-01-31/);
    await page.context().close();
  });

  it('shows each stage with its sales and the exact sum in each currency', async () => {
    const page = await open();
    const table = partOf(page, 'Pipeline').getByRole('table');
    await table.getByRole('link').first().waitFor();
    expect(await rowsOf(table)).toEqual([
      ['Qualified', '0', '0', '–'],
      ['Quoted', '2', '0', '€10.5025\n$7.00'],
      ['Accepted', '1', '0', '€1,200.50'],
      ['Fulfilled', '0', '0', '–'],
    ]);
    await table.getByRole('link', { name: '2', exact: true }).click();
    await recordsOf(page)
      .getByRole('link', { name: /Chairs.*€10.5025/ })
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
      ['Ada Byron', '1', '1', '33.3%', '0', '2\n€10.5025\n$7.00', '1\n€1,200.50', '0'],
    ]);
    await table.getByRole('button', { name: 'Sent' }).click();
    expect(await table.locator('[aria-sort]').innerText()).toBe('Sent');
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
    await page.unroute('**/analytics/agents?*');
    await agents.getByRole('button', { name: 'Try again' }).click();
    await agents.getByText('Ada Byron').waitFor();
    await page.context().close();
  });

  it.each([360, 1280, 2560])('fits into %d pixels, at the same zoom or twice that', async (width) => {
    for (const zoom of [1, 2]) {
      const viewport = { width: Math.max(320, width / zoom), height: 800 };
      const page = await open('today?window=13w&tables=volume', { viewport });
      await partOf(page, 'Agents').getByRole('link').first().waitFor();
      const [scroll, client] = await page
        .locator('main')
        .evaluate((main) => [main.scrollWidth, main.clientWidth]);
      expect(scroll).toBe(client);
      await page.context().close();
    }
  });

  it.each(['light', 'dark'] as const)('has nothing that axe-core finds wrong, %s', async (colorScheme) => {
    const page = await open('today?window=7d', { colorScheme });
    await partOf(page, 'Agents').getByRole('link').first().waitFor();
    await plotOf(page, 'Messages').locator('.points a').first().waitFor();
    const found: Record<string, string[]> = { plots: await violationsOf(page) };
    await page.keyboard.press('t');
    await expectTables(page, 4);
    await partOf(page, 'Pipeline').getByRole('link', { name: '2', exact: true }).click();
    await recordsOf(page)
      .getByRole('link', { name: /Chairs/ })
      .waitFor();
    found['tables and records'] = await violationsOf(page);
    await page.setViewportSize({ width: 360, height: 700 });
    found['small'] = await violationsOf(page);
    expect(found).toEqual({ plots: [], 'tables and records': [], small: [] });
    await page.context().close();
  });
});

const expectTables = (page: Page, count: number): Promise<void> =>
  until(async () => (await page.locator('.plot table').count()) === count);
