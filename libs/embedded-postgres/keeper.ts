import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './postgres.js';

const PAUSE_MS = 1_000;

/**
 * Starts the embedded PostgreSQL of `dataDir` and, if it ends by itself (kill -9, out of memory), starts it again under the
 * same URL, so that the service is away for seconds only. `onTrouble` is told of each end and failed start.
 */
export async function keepEmbeddedPostgres(
  dataDir: string,
  onTrouble: (message: string) => void,
): Promise<Omit<EmbeddedPostgres, 'exited'>> {
  let stopping = false;
  let current = await startEmbeddedPostgres({ dataDir });
  const { url } = current;
  const port = Number(new URL(url).port);
  const kept = (async () => {
    for (;;) {
      await current.exited;
      if (stopping) return;
      onTrouble('The embedded PostgreSQL ended; starting it again.');
      while (!stopping) {
        try {
          current = await startEmbeddedPostgres({ dataDir, port });
          // `stop` has stopped only the previous server.
          if (stopping) await current.stop();
          break;
        } catch (error) {
          onTrouble((error as Error).message);
          await sleep(PAUSE_MS);
        }
      }
    }
  })();
  return {
    url,
    async stop() {
      stopping = true;
      await current.stop();
      await kept;
    },
  };
}
