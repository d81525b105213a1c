import axe from 'axe-core';
import type { BrowserContextOptions, Browser, Page } from 'playwright-core';
import { sharedUrl } from './client.js';

export interface TabOptions extends BrowserContextOptions {
  /** Where the service is; the shared one when left out. */
  url?: string;
  /** Given the tab before it shows anything. */
  watch?: (page: Page) => void;
}

/** A tab of its own that shows the console, signed in with the key, at a path below /console. */
export async function openConsole(
  browser: Browser,
  key: string,
  path = 'inbox',
  { url, watch, ...options }: TabOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  watch?.(page);
  await page.goto(`${consoleUrl(url)}/${path}`);
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Places' }).waitFor();
  return page;
}

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
