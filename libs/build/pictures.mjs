// Makes the pictures of the README from the demo: a service of its own with fresh data, looked at in Chromium, in light and
// dark. They go to docs/pictures. `npm run pictures`, with Debian's chromium or CHROMIUM=path.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const OUTPUT = 'docs/pictures';
const SIZE = { width: 1280, height: 800 };
/** Milliseconds in which what was asked for is usually there. */
const SETTLED_MS = 1_500;
const OPERATOR_KEY = 'operator-of-the-pictures';

/** What each picture shows: where, who is signed in, and which key is pressed first. */
const PICTURES = [
  { name: 'today', path: 'today' },
  { name: 'inbox', path: 'inbox?waiting=true', press: 'j' },
  { name: 'pipeline', path: 'pipeline' },
  { name: 'audit', path: 'audit', press: 'j' },
  { name: 'operations', path: 'operations/deliveries', press: 'j', isOperator: true },
];

/** Once a page is there, and nothing that it loads is missing any more. */
async function isQuiet(page) {
  await page.locator('main').waitFor();
  await sleep(SETTLED_MS);
  await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
  await page.locator('main [role=status] > .only-read').first().waitFor({ state: 'detached' });
  await sleep(SETTLED_MS);
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const dataDir = mkdtempSync(join(tmpdir(), 'parley-pictures-'));
const port = await freePort();
const url = `http://localhost:${port}`;
const env = {
  ...process.env,
  PORT: String(port),
  PARLEY_DATA_DIR: dataDir,
  PARLEY_ADMIN_KEY: OPERATOR_KEY,
  LOG_LEVEL: 'warn',
};
const service = spawn(process.execPath, ['dist/bin/main.js'], {
  env,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const ended = new Promise((resolve) => service.once('exit', resolve));

try {
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const demo = join(dataDir, 'demo.env');
  while (!existsSync(demo) || !(await isReady())) {
    if (service.exitCode !== null) throw new Error('The service ended before it was ready.');
    await sleep(200);
  }
  const key = /KEY=(\S+)/.exec(readFileSync(demo, 'utf8'))[1];
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  mkdirSync(OUTPUT, { recursive: true });
  for (const colorScheme of ['light', 'dark'])
    for (const { name, path, press, isOperator } of PICTURES) {
      const page = await browser.newPage({ viewport: SIZE, colorScheme, locale: 'en-GB' });
      await page.goto(`${url}/console/${path}`);
      await page.getByLabel('API key').fill(isOperator ? OPERATOR_KEY : key);
      await page.keyboard.press('Enter');
      await page.getByRole('navigation', { name: 'Places' }).waitFor();
      await isQuiet(page);
      if (press) await page.keyboard.press(press);
      await isQuiet(page);
      await page.screenshot({ path: join(OUTPUT, `${name}-${colorScheme}.png`) });
      await page.close();
    }
  await browser.close();
} finally {
  service.kill('SIGTERM');
  await ended;
  rmSync(dataDir, { recursive: true, force: true });
}
