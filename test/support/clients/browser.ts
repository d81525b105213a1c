import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Chromium without a window, which starts and draws with a third less CPU; `.ci/run` installs this Debian package. */
const SHELL = '/usr/bin/chromium-headless-shell';
export const CHROMIUM = existsSync(SHELL) ? SHELL : '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);

const QUIET = ['--disable-quic', '--no-first-run', '--disable-background-networking'];
const ARGS = [...QUIET, '--no-sandbox', '--disable-gpu', '--disable-component-update', '--disable-sync'];

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, headless: true, args: ARGS });

/** How long a page may take to show something: below the time limit of a test, so that its failure names what did not come. */
const PATIENCE_MS = 150_000;

/** A page that shares nothing with others of the browser. */
export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context.newPage();
}
