import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** As Debian installs it, and `.ci/run` with it. */
export const CHROMIUM = '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);

const QUIET = ['--disable-quic', '--no-first-run', '--disable-background-networking'];
const ARGS = [...QUIET, '--no-sandbox', '--disable-gpu', '--disable-component-update', '--disable-sync'];

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, headless: true, args: ARGS });
