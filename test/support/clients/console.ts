import axe from 'axe-core';
import type { BrowserContextOptions, Browser, Locator, Page, Route } from 'playwright-core';
import { until } from '../until.js';
import { newPage } from './browser.js';
import { type Client, type Json, ok, sharedUrl } from './client.js';

export interface TabOptions extends BrowserContextOptions {
  /** Where the service is; the shared one when left out. */
  url?: string;
  /** Given the tab before it shows anything, and waited for. */
  watch?: (page: Page) => unknown;
}

/** A tab of its own that shows the console, signed in with the key, at a path below /console. */
export async function openConsole(
  browser: Browser,
  key: string,
  path = 'inbox',
  { url, watch, ...options }: TabOptions = {},
): Promise<Page> {
  const page = await newPage(browser, { viewport: { width: 1280, height: 800 }, ...options });
  await watch?.(page);
  await page.goto(`${consoleUrl(url)}/${path}`);
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Places' }).waitFor();
  return page;
}

/** Lets requests go their own way again. Those under way are finished first: Playwright fails an answer to one that it has let go. */
export const unrouted = (page: Page): Promise<void> => page.unrouteAll({ behavior: 'wait' });

/** What keeps requests of this method back until they are released. */
export function held(method = 'GET') {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const handler = async (route: Route): Promise<void> => {
    if (route.request().method() === method) await isReleased;
    await route.continue();
  };
  return { handler, release: () => release() };
}

/** Closes the dialog that is open, and waits until the page has heard of it: before that, it takes no keys, and opens no other. */
export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

/** Presses the key until what it brings at once is there: a part of the page that has just been drawn may not listen yet. */
export const pressUntil = (page: Page, key: string, brought: Locator): Promise<void> =>
  until(async () => {
    if ((await brought.count()) > 0) return true;
    await page.keyboard.press(key);
    return (await brought.count()) > 0;
  });

/** Clicks it until what it brings is there: that may also come by itself, and take away what is to be clicked. */
export const clickUntil = (button: Locator, brought: Locator): Promise<void> =>
  until(async () => {
    if ((await brought.count()) > 0) return true;
    await button.click({ timeout: 1_000 }).catch(() => undefined);
    return (await brought.count()) > 0;
  });

/** The field while it has the focus. */
export const focused = (field: Locator): Locator => field.and(field.page().locator(':focus'));

/** Waits until the page tells times by the clock of the organization, which is that of UTC, and not of the browser. */
export const untilZoned = (page: Page): Promise<void> =>
  page.locator('time[title$=" UTC"]').first().waitFor();

const MOMENT_MS = 40_000;

/** Has replies that leave in a moment wait most of a minute: before that, a busy machine might not look. */
export async function holdReplies(page: Page): Promise<void> {
  await page.route(/\/response-drafts(\/\w+\/send)?$/, async (route) => {
    const body = route.request().postDataJSON() as { send_at?: string } | null;
    const at = Date.parse(body?.send_at ?? '');
    const isSoon = at < Date.now() + MOMENT_MS;
    if (!isSoon) return route.continue();
    await route.continue({ postData: { ...body, send_at: new Date(at + MOMENT_MS).toISOString() } });
  });
}

/** Waits until the search, which follows the records, finds this one by these words. A page asks only once. */
export const untilFound = (api: Client, q: string, id: string): Promise<void> =>
  until(async () => (await ok(api.get('search', { q }))).data.some((one: Json) => one['id'] === id));

/** Asks again for what could not be loaded, unless the page has done so by itself meanwhile. */
export const tryAgain = (place: Page | Locator): Promise<void> =>
  place
    .getByRole('button', { name: 'Try again' })
    .evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLButtonElement).click()));

/** By a name that browsers trust as much as https. */
export const consoleUrl = (url = sharedUrl()): string => `${url.replace('127.0.0.1', 'localhost')}/console`;

type Axe = typeof axe;

/** What axe-core finds wrong with the page as it is now: rules with the elements that break them. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe };
    return (await axe.run(document, { iframes: false })).violations;
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
