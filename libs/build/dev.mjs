// Builds and starts the product, and does both again after each change in src or libs. What runs goes on while the new
// sources do not compile. Arguments are those of Node: `npm run dev -- --inspect`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';

/** Milliseconds without a change after which an editor, or a checkout of another branch, has written all its files. */
const QUIET_MS = 200;

let running = null;
let wanted = true;
let wake = () => {};
let timer;

const changed = (_event, file) => {
  if (!/\.(tsx?|css|html)$/.test(file ?? '') || file.endsWith('.spec.ts')) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    wanted = true;
    wake();
  }, QUIET_MS);
};
for (const directory of ['src', 'libs']) watch(directory, { recursive: true }, changed);

/** Runs Node with our terminal; gives the process. */
const node = (...args) => spawn(process.execPath, args, { stdio: 'inherit' });

const stop = async () => {
  if (running === null || running.exitCode !== null || running.signalCode !== null) return;
  running.kill('SIGTERM');
  await once(running, 'exit');
};

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, async () => {
    await stop();
    process.exit(0);
  });

for (;;) {
  if (!wanted) await new Promise((resolve) => (wake = resolve));
  wanted = false;
  const [code] = await once(node('libs/build/build.mjs'), 'exit');
  if (code !== 0) continue;
  await stop();
  running = node(...process.argv.slice(2), 'dist/bin/main.js');
}
