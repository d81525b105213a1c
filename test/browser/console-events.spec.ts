import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { consoleUrl, openConsole, violationsOf } from '../support/clients/console.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

let browser: Browser;
let workspace: Workspace;
let page: Page;

const contact = (name: string): Promise<Json> => ok(workspace.api.post('contacts', { name }));
const titles = (tab: Page) =>
  tab.getByRole('list', { name: 'Events' }).locator('.event-type').allInnerTexts();

needs(CHROMIUM, hasChromium).describe('The page of events', () => {
  beforeAll(async () => {
    browser = await launchChromium();
    workspace = await newWorkspace();
    await contact('Grace Hopper');
    await ok(workspace.api.post('companies', { name: 'Navy' }));
    page = await openConsole(browser, workspace.key, 'events');
  });
  afterAll(() => browser.close());

  it('shows the latest first, and what happens as it happens', async () => {
    await page.getByRole('link', { name: 'CompanyCreated' }).waitFor();
    expect(await titles(page)).toEqual(['CompanyCreated', 'ContactCreated']);
    await ok(workspace.api.post('tasks', { title: 'Call' }));
    await page.getByRole('link', { name: 'TaskCreated' }).waitFor();
    expect(await titles(page)).toEqual(['TaskCreated', 'CompanyCreated', 'ContactCreated']);
  });

  it('opens one as JSON beside the list, by mouse, and leads to its record', async () => {
    await page.getByRole('link', { name: 'ContactCreated' }).click();
    const json = page.getByRole('region', { name: 'Event as JSON' });
    const event = JSON.parse(await json.innerText());
    expect(event).toMatchObject({ type: 'ContactCreated', data: { name: 'Grace Hopper' } });
    const to = await page
      .locator('.event-detail')
      .getByRole('link', { name: event.stream.id })
      .getAttribute('href');
    expect(to).toBe(`/console/contacts/${event.stream.id}`);
    await page.reload();
    await json.waitFor();
    expect(JSON.parse(await json.innerText())).toEqual(event);
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.getByRole('heading', { name: 'Choose an event' }).waitFor();
  });

  it('copies the JSON', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('link', { name: 'ContactCreated' }).click();
    await page.getByRole('button', { name: 'Copy JSON' }).click();
    await page.getByText('Copied.').waitFor();
    const copied = JSON.parse(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toMatchObject({ type: 'ContactCreated' });
  });

  it('is gone through, paused and followed again, by keyboard', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'TaskCreated' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'CompanyCreated' }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'TaskCreated' }).waitFor();
    await page.keyboard.press('Space');
    await page.getByText('Paused', { exact: true }).waitFor();
    expect(page.url()).toContain('follow=off');
    const other = await page.context().newPage();
    await other.goto(`${consoleUrl()}/events`);
    await other.getByRole('link', { name: 'TaskCreated' }).waitFor();
    await ok(workspace.api.post('templates', { name: 'Hello', modality: 'text', body_html: 'Hello' }));
    await other.getByRole('link', { name: 'TemplateCreated' }).waitFor();
    await other.close();
    expect(await titles(page)).toEqual(['TaskCreated', 'CompanyCreated', 'ContactCreated']);
    await page.getByRole('button', { name: 'Pause' }).press('Space');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'TemplateCreated' }).waitFor();
    await page.getByRole('heading', { name: 'TaskCreated' }).click();
    await page.keyboard.press('Enter');
    await until(() => page.url().includes('/console/tasks/task_'));
    await page.goBack();
    await page.getByRole('heading', { name: 'TaskCreated' }).waitFor();
  });

  it('is narrowed to types and to a record, in the address', async () => {
    await page.goto(`${consoleUrl()}/events`);
    await page.getByRole('button', { name: 'All types' }).click();
    await page.getByRole('button', { name: 'CompanyCreated' }).click();
    await page.getByRole('button', { name: 'Task: all' }).click();
    await page.keyboard.press('Escape');
    await until(async () => (await titles(page)).join() === 'TaskCreated,CompanyCreated');
    expect(new URL(page.url()).searchParams.get('types')).toMatch(/^CompanyCreated,TaskCreated,/);
    await contact('Ada Byron');
    await ok(workspace.api.post('companies', { name: 'Acme' }));
    await until(async () => (await titles(page)).join() === 'CompanyCreated,TaskCreated,CompanyCreated');
    const { contact_id } = await contact('Carl Gauss');
    await ok(workspace.api.patch(`contacts/${contact_id}`, { name: 'Carl F. Gauss' }));
    await page.goto(`${consoleUrl()}/events?record_id=${contact_id}`);
    await until(async () => (await titles(page)).join() === 'ContactIdentityChanged,ContactCreated');
  });

  it('shows all of a long feed, further back on demand, and the ones before those that it keeps', async () => {
    const other = await newWorkspace();
    for (let nr = 0; nr < 6; nr++)
      await ok(
        other.api.post('contacts/batch', {
          items: Array.from({ length: 200 }, (_, index) => ({ name: `Contact ${nr * 200 + index}` })),
        }),
      );
    const tab = await openConsole(browser, other.key, 'events');
    const list = tab.locator('.rows');
    await tab.getByRole('link', { name: 'ContactCreated' }).first().waitFor();
    await until(async () => {
      await list.evaluate((box) => (box.scrollTop = box.scrollHeight));
      return tab.getByText('1000 events are shown.').isVisible();
    });
    expect(await tab.getByRole('listitem').count()).toBeLessThan(100);
    await tab.getByRole('link', { name: 'Show those before' }).click();
    await tab.getByText('Earlier events. What happens now is not among them.').waitFor();
    await until(async () => {
      await list.evaluate((box) => (box.scrollTop = box.scrollHeight));
      return tab.getByText('This is the first event.').isVisible();
    });
    await tab.getByRole('link', { name: 'Latest events' }).click();
    await tab.getByText('Live', { exact: true }).waitFor();
    await tab.context().close();
  });

  it('says that nothing has happened, that nothing matches, and what cannot be loaded', async () => {
    const empty = await newWorkspace();
    const tab = await openConsole(browser, empty.key, 'events');
    await tab.getByRole('heading', { name: 'Nothing has happened yet' }).waitFor();
    await tab.goto(`${consoleUrl()}/events?types=SaleOpened`);
    await tab.getByRole('heading', { name: 'No event matches these filters' }).waitFor();
    await tab.goto(`${consoleUrl()}/events?types=Nonsense`);
    await tab.getByText('there is no event type Nonsense').waitFor();
    await tab.goto(`${consoleUrl()}/events/event_1?of=contact_1`);
    await tab.getByText('There is no such record.').waitFor();
    await tab.context().close();
  });

  it.each(['light', 'dark'] as const)('has nothing that axe-core finds wrong, %s', async (colorScheme) => {
    const found: Record<string, string[]> = {};
    const tab = await openConsole(browser, workspace.key, 'events', { colorScheme });
    const look = async (name: string) => void (found[name] = await violationsOf(tab));
    await tab.getByRole('link', { name: 'TaskCreated' }).waitFor();
    await look('list');
    await tab.getByRole('button', { name: 'All types' }).click();
    await look('types');
    await tab.keyboard.press('Escape');
    await tab.getByRole('link', { name: 'TaskCreated' }).click();
    await tab.getByRole('region', { name: 'Event as JSON' }).waitFor();
    await look('event');
    await tab.keyboard.press('Space');
    await tab.getByText('Paused', { exact: true }).waitFor();
    await look('paused');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    await tab.context().close();
  });
});
