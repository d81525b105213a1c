import { ConfigurationError, readConfig, type Config } from '../config/config.js';
import { VERSION } from '#config/product.js';
import { endWithNpm } from './npm-parent.js';

const LONGEST_END_MS = 28_000;
/** Ctrl-C reaches us twice: from the terminal, and from npm, which passes on what it got. */
const ONE_SIGNAL_MS = 1_000;

/** What a process runs; `close` ends it in order. */
interface Running {
  close(): Promise<void>;
}

/**
 * Runs a process until it is told to end: reads the configuration, starts, and stops in order on SIGINT, SIGTERM or the
 * death of the npm that started it. A signal more than a second later ends it at once. `signal` tells what is still starting
 * to give up.
 */
export async function run(start: (config: Config, signal: AbortSignal) => Promise<Running>): Promise<void> {
  if (process.argv.includes('--version')) return void process.stdout.write(`${VERSION}\n`);
  let running: Running | null = null;
  const told = new AbortController();
  let toldAt = 0;
  const end = async () => {
    if (told.signal.aborted) return;
    told.abort();
    toldAt = performance.now();
    // Process managers kill what has not ended after half a minute. Ending here loses no more than a crash: nothing.
    setTimeout(() => {
      process.stderr.write('Parley ended before everything was closed.\n');
      process.exit(0);
    }, LONGEST_END_MS).unref();
    if (!running) return;
    await running.close();
    process.exit(0);
  };
  const signalled = () => {
    if (told.signal.aborted && performance.now() - toldAt > ONE_SIGNAL_MS) process.exit(1);
    void end();
  };
  process.on('SIGINT', signalled);
  process.on('SIGTERM', signalled);
  endWithNpm(() => void end());
  try {
    running = await start(readConfig(process.env), told.signal);
    // The signal came while it was starting.
    if (told.signal.aborted) {
      await running.close();
      process.exit(0);
    }
  } catch (error) {
    if (told.signal.aborted) process.exit(0);
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Parley cannot start.\n${message}\n`);
    if (!(error instanceof ConfigurationError) && process.env['LOG_LEVEL'] === 'debug') console.error(error);
    process.exit(1);
  }
}
