import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { newWorkspace, ok, sharedUrl, type Workspace } from '../support/clients/client.js';
import { signedIn } from '../support/clients/sessions.js';
import {
  clickUntil,
  closeDialog,
  consoleUrl,
  held,
  openConsole,
  tryAgain,
  unrouted,
  violationsOf,
} from '../support/clients/console.js';
import { todaysWorkspace } from '../support/data/today.js';
import { needs } from '../support/needs.js';
import { ADMIN_KEY } from '../support/server/server.js';
import { until } from '../support/until.js';

let browser: Browser;
let workspace: Workspace;

const PEOPLE = 60;

const refusal = (status: number, detail: string, headers = {}) => ({
  status,
  contentType: 'application/problem+json',
  headers,
  json: { code: 'unavailable', detail },
});
const open = (path: string, key = workspace.key): Promise<Page> => openConsole(browser, key, path);
const rowsOf = (page: Page) => page.getByRole('list', { name: 'Contacts' }).getByRole('link');

needs(CHROMIUM, hasChromium).describe('The console tells', () => {
  beforeAll(async () => {
    browser = await launchChromium();
    workspace = await newWorkspace();
    const items = Array.from({ length: PEOPLE }, (_, nr) => ({ name: `Person ${nr}` }));
    await ok(workspace.api.post('contacts/batch', { items }));
    const found = { q: 'person', limit: 200 };
    await until(async () => (await ok(workspace.api.get('search', found))).data.length === PEOPLE);
  });
  afterAll(() => browser.close());

  it.each([
    [503, {}, 'The database is away.'],
    [429, { 'retry-after': '1' }, 'Too many requests.'],
  ])(
    'that a reload is answered %i, stays signed in, and comes back by itself',
    async (status, headers, why) => {
      const page = await open('contacts');
      await rowsOf(page).first().waitFor();
      await page.route('**/api/v2/me', (route) => route.fulfill(refusal(status, why, headers)));
      await page.route('**/admin/v1/**', (route) => route.fulfill(refusal(401, 'Not yours.')));
      await page.reload();
      await page.getByRole('alert').getByText(why).waitFor();
      expect(await page.getByLabel('API key').count()).toBe(0);
      expect(await page.getByRole('navigation', { name: 'Places' }).count()).toBe(1);
      expect(await page.getByText('The connection is lost').count()).toBe(status === 503 ? 1 : 0);
      expect(await violationsOf(page)).toEqual([]);
      await unrouted(page);
      await rowsOf(page).first().waitFor();
      await page.context().close();
    },
  );

  it('that nobody answers a reload, before the answer is given up', async () => {
    const page = await open('contacts');
    await page.route('**/api/v2/me', (route) => route.abort());
    await page.reload();
    await page.getByText('The connection is lost').waitFor();
    await unrouted(page);
    await tryAgain(page);
    await rowsOf(page).first().waitFor();
    await page.context().close();
  });

  it('whoever has a session that has ended to sign in', async () => {
    const page = await open('operations', ADMIN_KEY);
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel('API key').waitFor();
    await page.context().close();
  });

  it('why a search is refused, in the palette', async () => {
    const page = await open('contacts');
    await rowsOf(page).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('-foo');
    const palette = page.getByRole('dialog');
    await palette.getByText(/^q: /).waitFor();
    expect(await palette.getByText('Loading').count()).toBe(0);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('person 7');
    await palette.getByRole('option', { name: /^Person 7/ }).waitFor();
    expect(await palette.getByText(/^q: /).count()).toBe(0);
    await page.context().close();
  });

  it('why a search is refused, in a field that offers records', async () => {
    const page = await open('tasks');
    await page.getByRole('button', { name: 'New task' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Find a contact' }).click();
    const field = dialog.getByRole('combobox', { name: 'Find a contact' });
    await field.fill('-foo');
    await dialog.getByText(/^q: /).waitFor();
    await field.fill('person 7');
    await dialog.getByRole('option', { name: /^Person 7/ }).waitFor();
    await page.context().close();
  });

  it('that a further page of a list has failed, and loads it on demand', async () => {
    const page = await open('inbox');
    await page.route('**/contacts?*cursor=*', (route) => route.fulfill(refusal(500, 'Broken.')));
    await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Contacts' }).click();
    await rowsOf(page).first().waitFor();
    const scroll = () => rowsOf(page).last().scrollIntoViewIfNeeded();
    await scroll();
    const foot = page.getByRole('alert').filter({ hasText: 'Broken.' });
    await foot.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const before = await rowsOf(page).count();
    expect(before).toBeLessThan(PEOPLE);
    await unrouted(page);
    await foot.getByRole('button', { name: 'Try again' }).click();
    await foot.waitFor({ state: 'hidden' });
    await until(async () => (await rowsOf(page).count()) === PEOPLE);
    await page.context().close();
  });

  it('that what is shown could not be asked for again, and is old', async () => {
    const page = await open('contacts');
    await rowsOf(page).first().waitFor();
    await page.route('**/contacts?*', (route) => route.fulfill(refusal(500, 'Broken.')));
    const { data } = await ok(workspace.api.get('contacts?limit=1'));
    await ok(workspace.api.patch(`contacts/${data[0].contact_id}`, { phone_number: '+4930123456' }));
    const told = page.getByRole('status').filter({ hasText: 'Broken.' });
    await told.getByText('may be old').waitFor();
    expect(await rowsOf(page).count()).toBeGreaterThan(1);
    expect(await violationsOf(page)).toEqual([]);
    await unrouted(page);
    await tryAgain(told);
    await told.waitFor({ state: 'hidden' });
    await page.context().close();
  });

  it('records behind a figure to be deleted only where they are, and else why they have no names', async () => {
    const own = await todaysWorkspace();
    const page = await open('today?window=7d', own.key);
    await page.route('**/sales/sale_*', (route) => route.fulfill(refusal(500, 'Broken.')));
    const sales = page.getByRole('region', { name: 'Pipeline' });
    await sales.getByRole('link', { name: '2', exact: true }).click();
    const records = page.getByRole('complementary');
    await records.getByText('Broken.').waitFor();
    expect(await records.getByText('Deleted meanwhile').count()).toBe(0);
    // The latest route goes first, so that no name gets through in between.
    await page.route('**/sales/sale_*', (route) => route.fulfill(refusal(404, 'Gone.')));
    await tryAgain(records);
    await records.getByText('Deleted meanwhile').first().waitFor();
    await page.context().close();
  });

  it('the records behind the sums of a stage, and shows the figures before the stages have come', async () => {
    const own = await todaysWorkspace();
    const page = await open('inbox', own.key);
    await page.route('**/sale-statuses', (route) => route.fulfill(refusal(500, 'Broken.')));
    await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Today' }).click();
    const stage = page.getByRole('region', { name: 'Pipeline' }).getByRole('row', { name: /^Quoted/ });
    await stage.getByRole('cell', { name: '2', exact: true }).waitFor();
    expect(await stage.getByRole('link').count()).toBe(0);
    await unrouted(page);
    await page.reload();
    await stage.getByRole('link', { name: '$7.00' }).click();
    await page
      .getByRole('complementary')
      .getByRole('link', { name: /Tables/ })
      .waitFor();
    const agents = page.getByRole('region', { name: 'Agents' });
    await agents.getByRole('link', { name: '€1,200.50' }).click();
    await page.getByRole('complementary').getByText('of Ada Byron').waitFor();
    expect(page.url()).toContain('figure=pipeline');
    await page.context().close();
  });
});

needs(CHROMIUM, hasChromium).describe('The console keeps', () => {
  beforeAll(async () => {
    browser = await launchChromium();
    workspace = await newWorkspace();
  });
  afterAll(() => browser.close());

  it('the language of the address in every link', async () => {
    const page = await open('inbox');
    await page.goto(`${consoleUrl()}/inbox?lang=de`);
    await page.getByRole('link', { name: 'Kontakte' }).click();
    await page.waitForURL(/\/contacts\?lang=de$/);
    await page.reload();
    await page.getByRole('link', { name: 'Firmen' }).waitFor();
    await page.context().close();
  });

  it('the theme over a reload and another signing in, and its button says which it is', async () => {
    const page = await open('inbox');
    const scheme = () => page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme');
    await page.getByRole('button', { name: 'Theme: as the system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    expect(await scheme()).toBe('dark');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').fill(workspace.key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    expect(await scheme()).toBe('dark');
    await page.getByRole('button', { name: 'Theme: dark' }).click();
    expect(await scheme()).toBe('light dark');
    await page.context().close();
  });

  it('that it is of one session: with the cookie of another it asks for a key, and shows nothing of the other', async () => {
    const page = await open('contacts');
    const other = await newWorkspace();
    await ok(other.api.post('contacts', { name: 'Not for this page' }));
    // As a page of a neighbouring host might, or another tab.
    const cookie = (await signedIn(other.api)).headers['cookie']!.split('=')[1]!;
    await page.context().clearCookies();
    await page.context().addCookies([{ name: 'parley_session', value: cookie, url: sharedUrl() }]);
    await clickUntil(page.getByRole('link', { name: 'Companies' }), page.getByLabel('API key'));
    expect(await page.content()).not.toContain('Not for this page');
    await page.getByLabel('API key').fill(workspace.key);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Places' }).waitFor();
    await page.context().close();
  });

  it('who signs in before the signing out of another is answered', async () => {
    const page = await open('inbox');
    const { handler, release } = held('DELETE');
    const asked: string[] = [];
    await page.route('**/console/session', (route) => {
      asked.push(route.request().method());
      return handler(route);
    });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').fill(workspace.key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Signing in' }).waitFor();
    // What was asked for before this has come, too.
    await page.evaluate('fetch(location.href).then(() => undefined)');
    expect(asked).toEqual(['DELETE']);
    expect(await page.getByRole('navigation', { name: 'Places' }).count()).toBe(0);
    release();
    await page.getByRole('navigation', { name: 'Places' }).waitFor();
    await page.reload();
    await page.getByRole('navigation', { name: 'Places' }).waitFor();
    await page.context().close();
  });

  it.each([
    ['AltGr', 'Linux x86_64', { ctrlKey: true, altKey: true, modifierAltGraph: true }, 1],
    ['Option on a Mac', 'MacIntel', { altKey: true }, 1],
    ['Ctrl and Alt', 'Linux x86_64', { ctrlKey: true, altKey: true }, 0],
    ['Alt elsewhere', 'Linux x86_64', { altKey: true }, 0],
  ])('its keys where a character takes %s', async (_, platform, modifiers, dialogs) => {
    const page = await openConsole(browser, workspace.key, 'inbox', {
      watch: (opened) =>
        opened.addInitScript(
          `Object.defineProperty(Navigator.prototype, 'platform', { get: () => '${platform}' })`,
        ),
    });
    const dialog = page.getByRole('dialog');
    const press = (init: object) =>
      page.evaluate((given) => document.body.dispatchEvent(new KeyboardEvent('keydown', given)), {
        key: '?',
        bubbles: true,
        ...init,
      });
    // A page that is just opened may not listen to keys yet.
    const untilOpenBy = (init: object) =>
      until(async () => (await press(init)) && (await dialog.count()) === 1);
    await untilOpenBy({});
    await closeDialog(page);
    await press(modifiers);
    expect(await dialog.count()).toBe(dialogs);
    await page.context().close();
  });
});
