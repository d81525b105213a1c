import type { Client as Database } from 'pg';
import { inDatabase } from '../database/database.js';
import { until } from '../until.js';
import { type Client, type Json, ok } from './client.js';

/** A page of the feed that has all that was committed before. */
export async function readFeed(api: Client, query: Json = {}): Promise<Json> {
  await untilFeedIsWhole();
  return ok(api.get('events', query));
}

/**
 * Waits until the feed shows all that was committed before. A request does so for a quarter of a second, but transactions of
 * other tests on the same server may hold the feed back for longer.
 */
export const untilFeedIsWhole = (): Promise<void> => inDatabase(untilAllHaveEnded);

/** Waits until the transactions have ended that run now. */
async function untilAllHaveEnded(database: Database): Promise<void> {
  const first = await database.query('SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next');
  const { next } = first.rows[0];
  await until(async () => {
    const { rows } = await database.query(
      'SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 AS have_ended',
      [next],
    );
    return rows[0].have_ended;
  });
}
