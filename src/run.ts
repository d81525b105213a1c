import { ConfigurationError, readConfig, type Config } from '#config/config.js';
import { endWithNpm } from './parent.js';

const LONGEST_END_MS = 28_000;

/**
 * Runs a process until it is told to end: reads the configuration, starts, and on SIGINT, SIGTERM or the death of the
 * npm that started it stops in order. A second signal ends it at once.
 */
export async function run(start: (config: Config) => Promise<{ stop: () => Promise<void> }>): Promise<void> {
  let running: { stop: () => Promise<void> } | null = null;
  let ending = false;
  const end = async () => {
    if (ending) process.exit(1);
    ending = true;
    // Whoever manages processes kills what has not ended after half a minute. A crash loses nothing, nor does this.
    setTimeout(() => {
      process.stderr.write('Parley ended before everything was closed.\n');
      process.exit(0);
    }, LONGEST_END_MS).unref();
    if (!running) return;
    await running.stop();
    process.exit(0);
  };
  process.on('SIGINT', () => void end());
  process.on('SIGTERM', () => void end());
  endWithNpm(() => void end());
  try {
    running = await start(readConfig(process.env));
    // The signal came while it was starting.
    if (ending) {
      await running.stop();
      process.exit(0);
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Parley cannot start.\n${message}\n`);
    if (!(error instanceof ConfigurationError) && process.env['LOG_LEVEL'] === 'debug') console.error(error);
    process.exit(1);
  }
}
