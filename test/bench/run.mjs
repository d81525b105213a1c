// Measures Parley against a bare Fastify + `pg` server on the same PostgreSQL, in turns, and prints the ratios.
// `analytics [--conversations N]` measures the figures over a year of so many conversations instead, `growth [--rows N]`
// what requests cost with so many rows in units of what they cost with few.
// `--facts` lets the bare server write each change's event and audit record, too.
// Options: --rounds N --seconds S --only name[,name] --profile directory (CPU profiles of Parley)
// --out directory (the results as JSON and as a page with charts). With BENCH_DATABASE_URL on that PostgreSQL of this machine,
// or on the Citus cluster that it coordinates, whose nodes are on this machine, too.
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { analyticsFigures } from './analytics.mjs';
import { cleanUp } from './clean-up.mjs';
import { figuresOf } from './figures.mjs';
import { growthFigures } from './growth.mjs';
import { doorsFigures } from './doors.mjs';
import { cpuSeconds } from './cpu.mjs';
import { listeningFigures } from './listening.mjs';
import { load } from './load.mjs';
import { mailFigures } from './mail.mjs';
import { noisyFigures } from './noisy.mjs';
import { prepareData } from './data.mjs';
import { startBare, startParley, startPostgres } from './servers.mjs';
import { aligned, median, save, table } from './report.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    conversations: { type: 'string', default: '50000' },
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string' },
    facts: { type: 'boolean' },
    profile: { type: 'string' },
    out: { type: 'string' },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
if (!(rounds >= 1 && seconds > 0)) throw new Error('--rounds and --seconds take positive numbers');

let interrupted = false;
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.on(signal, async () => {
    if (interrupted) return;
    interrupted = true;
    await cleanUp();
    process.exit(code);
  });

try {
  await bench();
} catch (error) {
  // What fails because an interrupt has taken the servers away is no news.
  if (!interrupted) {
    console.error(error);
    process.exitCode = 1;
  }
}
if (!interrupted) {
  await cleanUp();
  process.exit();
}

async function bench() {
  if (positionals.join() === 'analytics')
    return console.log(await analyticsFigures({ conversations: Number(options.conversations), seconds }));
  const wanted = options.only?.split(',');
  if (positionals.join() === 'growth')
    return console.log(aligned(await growthFigures({ rows: Number(options.rows), rounds, seconds, wanted })));
  const alone = {
    mail: () => mailFigures(rounds, options.profile),
    noisy: () => noisyFigures({ rounds, seconds }),
    doors: () => doorsFigures(rounds, options.profile),
    listening: () => listeningFigures({ rounds, seconds, profileDir: options.profile }),
  }[wanted?.join()];
  if (alone) return console.log(table(await alone()));
  const { url: databaseUrl, pids: postgres } = await startPostgres();
  const parley = await startParley(databaseUrl, { profileDir: options.profile });
  const data = await prepareData(databaseUrl, parley);
  const bare = await startBare(databaseUrl, options.facts);
  const figures = figuresOf({ parley: parley.url, bare: bare.url, ...data }).filter(
    ({ name }) => wanted === undefined || wanted.includes(name),
  );
  if (figures.length === 0) throw new Error(`--only ${options.only}: there is no such figure`);
  console.log(
    `${rounds} rounds of ${seconds} s; ${cpus().length} CPUs, load ${loadavg()[0].toFixed(1)} before`,
  );
  const results = [];
  for (const figure of figures)
    results.push({ figure, ...(await measure(figure, [parley.pid, bare.pid], postgres)) });
  if (wanted === undefined || wanted.includes('mail'))
    results.push(...(await mailFigures(rounds, options.profile)));
  if (wanted === undefined || wanted.includes('noisy'))
    results.push(...(await noisyFigures({ rounds, seconds })));
  if (wanted === undefined || wanted.includes('doors'))
    results.push(...(await doorsFigures(rounds, options.profile)));
  if (wanted === undefined || wanted.includes('listening'))
    results.push(...(await listeningFigures({ rounds, seconds })));
  console.log(`load ${loadavg()[0].toFixed(1)} after\n\n${table(results)}`);
  if (options.out !== undefined) console.log(`\nWritten: ${save(options.out, results).join(', ')}`);
}

/** Both sides of a figure in turns, the second one first in every other round, so that what drifts hits both. */
async function measure({ name, sides, same }, servers, postgres) {
  process.stderr.write(`${name} `);
  for (const side of sides) await load(side, Math.max(seconds / 2, 2));
  const taken = [];
  for (let round = 0; round < rounds; round++) {
    const run = [];
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      // Two figures of Parley's own are of one server.
      const pids = [same ? servers[0] : servers[index], ...postgres];
      const before = cpuSeconds(pids);
      const { answers, ...measured } = await load(sides[index], seconds);
      run[index] = { ...measured, cpu: ((cpuSeconds(pids) - before) * 1e6) / answers };
    }
    taken.push(run);
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  const ratios = taken.map(([ours, theirs]) => ours.rate / theirs.rate);
  const each = (key) => [0, 1].map((index) => median(taken.map((run) => run[index][key])));
  return {
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    rates: each('rate'),
    cpu: each('cpu'),
    p50: each('p50'),
    p99: each('p99'),
  };
}
