import { ConfigurationError, readConfig, type Config } from '#config/config.js';

const PARENT_POLL_MS = 500;

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

/** npm may die without passing a signal on (kill -9, a closed terminal); its child is then adopted by another process. */
function endWithNpm(end: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(), PARENT_POLL_MS).unref();
}
