// Runs a command beside busy processes, as on a slow machine: `node test/support/busy.mjs <how many> <command> …`.
import { spawn, spawnSync } from 'node:child_process';

const [count, command, ...args] = process.argv.slice(2);
const spinning = Array.from({ length: Number(count) }, () => spawn(process.execPath, ['-e', 'for (;;);']));
const { status } = spawnSync(command, args, { stdio: 'inherit' });
for (const one of spinning) one.kill();
process.exit(status ?? 1);
