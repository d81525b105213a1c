import type { Browser, Locator, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { type Json, newKey, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import {
  closeDialog,
  consoleUrl,
  focused,
  held,
  openConsole,
  tryAgain,
  unrouted,
  violationsOf,
} from '../support/clients/console.js';
import { type Pipeline, pipelineOf } from '../support/clients/pipeline.js';
import { inHours } from '../support/data/times.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

let browser: Browser;
let workspace: Workspace;
let page: Page;
let pipeline: Pipeline;

const column = (name: string, tab = page): Locator => tab.getByRole('region', { name, exact: true });
const cardIn = (stage: string, name: string, tab = page): Locator =>
  column(stage, tab).getByRole('link', { name: new RegExp(name) });

const cardOf = ({ sale_id }: Json, tab = page): Locator => tab.locator(`[data-sale="${sale_id}"]`);

const isThere = (stage: Locator): Promise<void> => stage.getByRole('status').waitFor({ state: 'detached' });
/** Waits until every stage has come. A card comes after the stages have their places. */
const areThere = (): Promise<void> =>
  until(async () => (await page.locator('.column').getByRole('status').count()) === 0);

/** Waits until the figures, which follow the sales, know of all. A page asks a few times only. */
async function untilCounted({ api }: Workspace): Promise<void> {
  const written = new Date().toISOString();
  const window = { start_date: inHours(-1), end_date: inHours(1) };
  await until(async () => (await ok(api.get('analytics/sales', window))).as_of > written);
}

needs(CHROMIUM, hasChromium).describe('The pipeline', () => {
  beforeAll(async () => {
    workspace = await newWorkspace();
    pipeline = await pipelineOf(workspace);
    const { newSale, quote } = pipeline;
    await quote(await newSale('Hampers', 1), 'EUR', '0.1', 3);
    await quote(await newSale('Canteen', 1), 'EUR', '12345678901234.0001');
    await quote(await newSale('Festival', 1), 'USD', '2.5', 2);
    await newSale('Spring menu', 0, { owner_id: workspace.agentId, expected_close_on: '2020-02-29' });
    browser = await launchChromium();
    page = await openConsole(browser, workspace.key, 'pipeline');
    await cardIn('Quoted', 'Hampers').waitFor();
  });
  afterAll(() => browser.close());

  it('shows the sales by stage, with the exact sum of each currency', async () => {
    await column('Quoted').getByText('3 sales').waitFor();
    await column('Quoted').getByText('€12,345,678,901,234.30').waitFor();
    await column('Quoted').getByText('$5.00').first().waitFor();
    await cardIn('Qualified', 'Spring menu').getByText('was due Feb 29, 2020').waitFor();
    await column('Accepted').getByText('No sale is here.').waitFor();
  });

  it('moves a card by drag, shown at once with the sums', async () => {
    const sale = await pipeline.newSale('Dragged', 0);
    await page.reload();
    await cardIn('Qualified', 'Dragged').waitFor();
    await areThere();
    await cardIn('Qualified', 'Dragged').dragTo(column('Accepted'));
    await cardIn('Accepted', 'Dragged').waitFor();
    await column('Accepted').getByText('1 sale', { exact: true }).waitFor();
    await until(async () => (await pipeline.stageOf(sale)) === 'Accepted');
  });

  it('moves a card by keys and by its menu, and keeps the focus on it', async () => {
    const sale = await pipeline.newSale('Typed', 0);
    await page.reload();
    await cardIn('Qualified', 'Typed').waitFor();
    await page.keyboard.press('j');
    await focused(cardOf(sale)).waitFor();
    await page.keyboard.press(']');
    await cardIn('Quoted', 'Typed').waitFor();
    await until(async () => (await pipeline.stageOf(sale)) === 'Quoted');
    await focused(cardOf(sale)).waitFor();
    await page.getByLabel('Move to another stage: Typed').selectOption('Fulfilled');
    await cardIn('Fulfilled', 'Typed').waitFor();
    await until(async () => (await pipeline.stageOf(sale)) === 'Fulfilled');
  });

  it('goes through the board, opens a sale and closes it again, by keyboard', async () => {
    await page.goto(`${consoleUrl()}/pipeline`);
    for (const card of [cardIn('Qualified', 'Spring menu'), cardIn('Quoted', 'Hampers')])
      await card.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('l');
    expect(await page.evaluate(() => document.activeElement!.closest('section')!.ariaLabel)).toBe('Quoted');
    await page.keyboard.press('h');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Spring menu' }).waitFor();
    expect(page.url()).toMatch(/\/pipeline\/sale_\w+$/);
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'hidden' });
    expect(page.url()).toMatch(/\/pipeline$/);
  });

  it('says why a move is refused, and puts the card back', async () => {
    const sale = await pipeline.newSale('Returned', 0);
    await ok(
      workspace.api.patch(`sales/${sale['sale_id']}`, { status_id: pipeline.stages[1]!['status_id'] }),
    );
    await page.reload();
    await cardIn('Quoted', 'Returned').waitFor();
    await page.getByLabel('Move to another stage: Returned').selectOption('Qualified');
    await page.getByText('Not done: Returned has already left Qualified').waitFor();
    await cardIn('Quoted', 'Returned').waitFor();
    await cardIn('Qualified', 'Returned').waitFor({ state: 'detached' });
    expect(await pipeline.stageOf(sale)).toBe('Quoted');
  });

  it('keeps a card where it was until the stage that it is moved to has come', async () => {
    const sale = await pipeline.newSale('Early', 0);
    const [stage, change] = [held(), held('PATCH')];
    const { status_id } = pipeline.stages[2]!;
    const tab = await openConsole(browser, workspace.key, 'pipeline', {
      watch: async (opened) => {
        await opened.route(`**/sales?*status_id=${status_id}*`, stage.handler);
        await opened.route(`**/sales/${sale['sale_id']}`, change.handler);
      },
    });
    await cardIn('Qualified', 'Early', tab).waitFor();
    await tab.getByLabel('Move to another stage: Early').selectOption('Accepted');
    expect(await cardIn('Qualified', 'Early', tab).count()).toBe(1);
    stage.release();
    await isThere(column('Accepted', tab));
    change.release();
    await cardIn('Accepted', 'Early', tab).waitFor();
    await cardIn('Qualified', 'Early', tab).waitFor({ state: 'detached' });
    await tab.context().close();
  });

  describe('where two people move one sale', () => {
    /** Both see it in the first stage; she has moved it to the second while his move was on its way to the third. */
    async function bothMove(name: string) {
      const sale = await pipeline.newSale(name, 0);
      const [she, he] = [
        await openConsole(browser, workspace.key, 'pipeline'),
        await openConsole(browser, workspace.key, 'pipeline'),
      ];
      for (const tab of [she, he]) await cardIn('Qualified', name, tab).waitFor();
      await isThere(column('Accepted', he));
      const { handler, release } = held('PATCH');
      await he.route(`**/sales/${sale['sale_id']}`, handler);
      await he.getByLabel(`Move to another stage: ${name}`).selectOption('Accepted');
      await cardIn('Accepted', name, he).waitFor();
      await she.getByLabel(`Move to another stage: ${name}`).selectOption('Quoted');
      await until(async () => (await pipeline.stageOf(sale)) === 'Quoted');
      release();
      await he.getByText('Somebody else changed this meanwhile').waitFor();
      return { sale, he, done: () => Promise.all([she, he].map((tab) => tab.context().close())) };
    }

    it('the slower is shown both, and takes theirs', async () => {
      const { sale, he, done } = await bothMove('Theirs');
      const dialog = he.getByRole('dialog');
      await dialog.getByText('Accepted').waitFor();
      await dialog.getByText('Quoted').waitFor();
      await dialog.getByRole('button', { name: 'Take theirs' }).click();
      await cardIn('Quoted', 'Theirs', he).waitFor();
      expect(await pipeline.stageOf(sale)).toBe('Quoted');
      await done();
    });

    it('or keeps his own', async () => {
      const { sale, he, done } = await bothMove('Mine');
      expect(await violationsOf(he)).toEqual([]);
      await he.getByRole('button', { name: 'Keep mine' }).press('Enter');
      await cardIn('Accepted', 'Mine', he).waitFor();
      await until(async () => (await pipeline.stageOf(sale)) === 'Accepted');
      await done();
    });

    it('and who still saw the old stage is asked, too', async () => {
      const sale = await pipeline.newSale('Stale', 0);
      let isCutOff = false;
      const { handler, release } = held();
      const tab = await openConsole(browser, workspace.key, 'pipeline', {
        watch: (opened) =>
          opened.route('**/sales?*', async (route) => {
            const response = await route.fetch();
            await (isCutOff ? handler(route) : route.fulfill({ response }));
          }),
      });
      await cardIn('Qualified', 'Stale', tab).waitFor();
      for (const stage of ['Quoted', 'Accepted']) await isThere(column(stage, tab));
      // What others do does not come to this page: an answer that is under way neither.
      isCutOff = true;
      await ok(
        workspace.api.patch(`sales/${sale['sale_id']}`, { status_id: pipeline.stages[2]!['status_id'] }),
      );
      await tab.getByLabel('Move to another stage: Stale').selectOption('Quoted');
      await tab.getByText('Somebody else changed this meanwhile').waitFor();
      await tab.getByRole('button', { name: 'Take theirs' }).click();
      await cardIn('Accepted', 'Stale', tab).waitFor();
      release();
      await unrouted(tab);
      await tab.context().close();
    });
  });

  it('keeps its filters in the address: reload, back and a link show the same', async () => {
    const query = `owner_id=${workspace.agentId}&closing=overdue`;
    await page.goto(`${consoleUrl()}/pipeline`);
    await cardIn('Quoted', 'Hampers').waitFor();
    await page.getByLabel('Owner').selectOption('Ada Byron');
    await page.getByLabel('Expected to close').selectOption('Expected before today');
    await cardIn('Qualified', 'Spring menu').waitFor();
    await cardIn('Quoted', 'Hampers').waitFor({ state: 'detached' });
    expect(page.url()).toContain(query);
    await page.reload();
    await cardIn('Qualified', 'Spring menu').waitFor();
    await areThere();
    expect(await page.getByRole('link', { name: /Hampers/ }).count()).toBe(0);
    await page.goto(`${consoleUrl()}/pipeline?closing=overdue&tag_id=tag_none`);
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await cardIn('Quoted', 'Hampers').waitFor();
  });

  it('offers nothing that the key may not do', async () => {
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
    const reader = await openConsole(browser, api_key, 'pipeline');
    const card = cardIn('Quoted', 'Hampers', reader);
    await card.click();
    await reader.getByRole('complementary', { name: 'Sale' }).getByRole('heading').first().waitFor();
    expect(await reader.getByRole('button', { name: /New|Change|Tags/ }).count()).toBe(0);
    expect(await reader.getByLabel(/^Move to another stage/).count()).toBe(0);
    expect(await card.getAttribute('draggable')).toBe('false');
    await reader.context().close();
  });

  it('says that there is no sale yet, that one is not there, and what could not be loaded', async () => {
    const other = await newWorkspace();
    const empty = await openConsole(browser, other.key, 'pipeline');
    await empty.getByText('There are no sales yet').waitFor();
    await empty.goto(`${consoleUrl()}/pipeline/sale_none`);
    await empty.getByText('There is no such record').waitFor();
    await empty.route('**/sale-statuses', (route) =>
      route.fulfill({ status: 500, json: { detail: 'Broken.' } }),
    );
    await empty.goto(`${consoleUrl()}/pipeline`);
    await empty.getByText('Broken.').waitFor();
    await unrouted(empty);
    await tryAgain(empty);
    await empty.getByText('There are no sales yet').waitFor();
    await empty.context().close();
  });

  it('reads long stages a page at a time, with figures of the whole', async () => {
    const other = await newWorkspace();
    const { newSale, quote } = await pipelineOf(other);
    for (let nr = 0; nr < 60; nr++) await quote(await newSale(`Sale ${nr}`), 'EUR', '0.1');
    await untilCounted(other);
    const tab = await openConsole(browser, other.key, 'pipeline');
    await column('Qualified', tab).getByText('60 sales').waitFor();
    await column('Qualified', tab).getByText('€6.00').waitFor();
    expect(await tab.locator('[data-sale]').count()).toBe(50);
    await tab.locator('[data-sale]').last().scrollIntoViewIfNeeded();
    await cardIn('Qualified', 'Sale 0', tab).waitFor();
    await tab.context().close();
  });

  it.each(['light', 'dark'] as const)('has nothing that axe-core finds wrong, %s', async (colorScheme) => {
    const found: Record<string, string[]> = {};
    const tab = await openConsole(browser, workspace.key, 'pipeline', { colorScheme });
    const look = async (name: string) => void (found[name] = await violationsOf(tab));
    await cardIn('Quoted', 'Hampers', tab).waitFor();
    await look('board');
    await cardIn('Quoted', 'Hampers', tab).click();
    await tab.getByRole('cell', { name: '€0.30' }).first().waitFor();
    await look('sale');
    await tab.getByRole('link', { name: 'Comments' }).click();
    await tab.getByLabel(/^Comment, for colleagues/).waitFor();
    await look('comments');
    await tab.keyboard.press('Escape');
    await tab.keyboard.press('n');
    await tab.getByRole('option', { name: 'Contoso' }).waitFor();
    await look('new sale');
    await closeDialog(tab);
    await tab.setViewportSize({ width: 360, height: 740 });
    await tab.getByRole('button', { name: 'Filters' }).click();
    await look('small');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    await tab.context().close();
  });
});
