// Runs the static checks in two lanes side by side, as each of them uses one core, and the scripts that are named on the command line (the
// unit tests) beside them. Prints what a check says when it has ended; exits with 1 when one failed.
import { execFile } from 'node:child_process';

const LANES = [
  // The linter reads the types of the client, which the first of the two makes.
  ['types', 'lint'],
  ['format', 'lint:api', 'boundaries', 'dead-code'],
  process.argv.slice(2),
];

const run = (script) =>
  new Promise((resolve) =>
    execFile('npm', ['run', '--silent', script], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      process.stdout.write(`${script}: ${error ? 'FAILED' : 'ok'}\n${error ? stdout + stderr : ''}`);
      resolve(error === null);
    }),
  );

async function runLane(scripts) {
  let ok = true;
  for (const script of scripts) ok = (await run(script)) && ok;
  return ok;
}

const results = await Promise.all(LANES.map(runLane));
process.exit(results.every((ok) => ok) ? 0 : 1);
