import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#database/database.js';
import { placeAt, WrongReplica } from '#database/replicas/open.js';
import { type Place, PLACE } from '#database/replicas/position.js';
import { unfit } from '#database/replicas/replica.js';
import { failed, type Finding, ok, warning } from './finding.js';

/** How long a replica may take to replay what the primary has written now. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 50;

const FIX = 'Correct DATABASE_REPLICA_URLS, which names physical replicas of the server in DATABASE_URL.';

/** Whether each replica follows the primary, and how far it is behind. */
export async function examineReplicas(database: Database, urls: string[]): Promise<Finding[]> {
  if (urls.length === 0) return [];
  const [primary] = await database.query<Place>({ text: PLACE });
  return Promise.all(urls.map((url) => examineReplica(url, primary!)));
}

async function examineReplica(url: string, primary: Place): Promise<Finding> {
  const { host } = new URL(url);
  const check = `replica ${host}`;
  const began = performance.now();
  try {
    for (;;) {
      const place = await placeAt(url);
      const trouble = unfit(place, primary.cluster);
      if (trouble !== null) return failed(check, `the server at ${host} ${trouble}`, FIX);
      const waited = performance.now() - began;
      if (place.position >= primary.position)
        return ok(check, `it replays what is written within ${Math.max(1, Math.ceil(waited))} ms`);
      if (waited > PATIENCE_MS) return behind(check, primary.position - place.position);
      await sleep(LOOK_MS);
    }
  } catch (error) {
    if (error instanceof WrongReplica) return failed(check, error.message, FIX);
    return warning(
      check,
      `it cannot be read from: ${(error as Error).message}`,
      'Start it, open the way to it, or correct DATABASE_REPLICA_URLS; until then reads go elsewhere.',
    );
  }
}

const behind = (check: string, bytes: number): Finding =>
  warning(
    check,
    `it is more than ${PATIENCE_MS / 1_000} s behind (${Math.ceil(bytes / 1024)} KiB of the log): reads go elsewhere`,
    'Look at pg_stat_replication on the primary, and at pg_is_wal_replay_paused() and long queries on the replica.',
  );
