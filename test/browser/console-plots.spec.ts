import type { Browser, Locator, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { type Json, ok } from '../support/clients/client.js';
import { focused, openConsole, pressUntil, violationsOf } from '../support/clients/console.js';
import { todaysWorkspace } from '../support/data/today.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

let browser: Browser;
let workspace: Awaited<ReturnType<typeof todaysWorkspace>>;

const open = (path = 'today?window=7d', options = {}): Promise<Page> =>
  openConsole(browser, workspace.key, path, options);
const partOf = (page: Page, name: string): Locator => page.getByRole('region', { name });
const plotOf = (page: Page, name: string): Locator => page.getByRole('figure', { name });
const recordsOf = (page: Page): Locator => page.getByRole('complementary');

/** The place of the point in whose span Emmy wrote, from the right. */
async function placeOfEmmys(points: Locator): Promise<number> {
  const { data } = await ok(workspace.api.get(`conversations/${workspace.emmys}/messages`));
  const { sent_at } = data.find((one: Json) => one['message_direction'] === 'received');
  const spans = await points
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).search));
  const begins = spans.map((span) => Date.parse(new URLSearchParams(span).get('start_date')!));
  return begins.reverse().findIndex((begin) => begin <= Date.parse(sent_at));
}

/** What is in the rows of a table. */
const rowsOf = (table: Locator): Promise<string[][]> =>
  table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => (cell as HTMLElement).innerText)),
    );

const expectTables = (page: Page, count: number): Promise<void> =>
  until(async () => (await page.locator('.chart table').count()) === count);

needs(CHROMIUM, hasChromium).describe('The plots of today', () => {
  beforeAll(async () => {
    browser = await launchChromium();
    workspace = await todaysWorkspace();
  });
  afterAll(() => browser.close());

  it('opens the records behind a point by keyboard, and gives the focus back', async () => {
    const page = await open();
    const points = plotOf(page, 'Messages').locator('.points');
    await points.getByRole('link').last().focus();
    for (let back = await placeOfEmmys(points); back > 0; back--) await page.keyboard.press('ArrowLeft');
    const name = (await page.locator(':focus').getAttribute('aria-label'))!;
    expect(name).toMatch(/: Received 1, before 0; Sent \d, before 0$/);
    await page.keyboard.press('Enter');
    await recordsOf(page)
      .getByRole('link', { name: /Emmy Noether/ })
      .waitFor();
    expect(await points.locator('[aria-current]').getAttribute('aria-label')).toBe(name);
    await page.keyboard.press('Escape');
    await recordsOf(page).waitFor({ state: 'hidden' });
    await focused(points.getByRole('link', { name, exact: true })).waitFor();
    await page.context().close();
  });

  it('reaches each plot by one stop of the Tab key', async () => {
    const page = await open();
    await until(async () => (await page.locator('.points').count()) === 4);
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
    await pressUntil(page, 'w', focused(page.getByLabel('Window')));
    await page.getByLabel('Window').selectOption('Last 13 weeks');
    await page.getByLabel('Cut by').selectOption('Months');
    await page.reload();
    expect(page.url()).toMatch(/\?window=13w&interval=month$/);
    expect(await page.getByLabel('Window').inputValue()).toBe('13w');
    const points = plotOf(page, 'Messages').locator('.points a');
    await points.first().waitFor();
    // From the last day of January to the first of May, thirteen weeks are in five months.
    expect([3, 4, 5]).toContain(await points.count());
    await page.getByLabel('Window').selectOption('From … to …');
    await page.getByLabel('First day').fill('2026-01-01');
    await page.getByLabel('Last day').fill('2026-01-31');
    await page.getByText('Jan 1 – 31, 2026, compared with').waitFor();
    expect(page.url()).toMatch(/from=2026-01-01&to=2026-01-31/);
    await page.context().close();
  });

  it.each([360, 1280, 2560])('fits into %d pixels, at the same zoom or twice that', async (width) => {
    for (const zoom of [1, 2]) {
      const viewport = { width: Math.max(320, width / zoom), height: 800 };
      const page = await open('today?window=13w&tables=volume', { viewport });
      await partOf(page, 'Agents').getByRole('link').first().waitFor();
      await partOf(page, 'Pipeline').getByRole('link').first().waitFor();
      await partOf(page, 'Who waits').getByText('Carl Gauss').waitFor();
      await expectTables(page, 1);
      // Plots are drawn anew once they know how wide they are.
      await until(async () => (await page.locator('.points').count()) === 3);
      await until(() =>
        page.locator('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth === clientWidth),
      );
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
