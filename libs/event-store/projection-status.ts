import type { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import { readCheckpoint } from './checkpoint.js';
import { type Cursor, readWatermark } from './feed.js';
import type { Projection } from './projection.js';
import { type Kind, rebuildLock } from './rebuild.js';

/** What a projection has not read yet. */
interface Lag {
  /** Events, as far as they are counted. */
  lagEvents: number;
  /** Age of the first of them in seconds; 0 when there is none. */
  lagSeconds: number;
}

/** How far a projection has come. Up to a million unread events are counted. */
export interface Progress extends Lag {
  cursor: Cursor;
  /** The rebuild (or verification) under way in any process; null when there is none. */
  rebuild: { progress: number; secondsLeft: number | null } | null;
}

const MOST_COUNTED = 1_000_000;

/** How far a projection has come. An inline one is always at the end, as it is written with the events. */
export async function progressOf(database: Database, projection: Projection, kind: Kind): Promise<Progress> {
  const rebuild = await readRebuild(database, projection);
  if (kind === 'inline') {
    const cursor = { tx: await readWatermark(database), position: '0' };
    return { cursor, lagEvents: 0, lagSeconds: 0, rebuild };
  }
  const { tx, position } = await readCheckpoint(database, projection);
  const cursor = { tx, position };
  return { cursor, ...(await lagAfter(database, cursor, projection, MOST_COUNTED)), rebuild };
}

/** What an asynchronous projection has not read yet; at most `most` events are counted. */
export async function lagOf(reader: Reader, projection: Projection, most: number): Promise<Lag> {
  return lagAfter(reader, await readCheckpoint(reader, projection), projection, most);
}

async function lagAfter(
  reader: Reader,
  { tx, position }: Cursor,
  { streamTypes }: Projection,
  most: number,
): Promise<Lag> {
  const [row] = await reader.query<{ events: string; seconds: number }>({
    text: `WITH unread AS (
             SELECT es_event.tx, position, occurred_at FROM es_event
              WHERE (es_event.tx, position) > ($1::text::xid8, $2) AND ($3::text[] IS NULL OR stream_type = ANY ($3))
              ORDER BY es_event.tx, position LIMIT $4)
           SELECT count(*) AS events,
                  greatest(0, coalesce(extract(epoch FROM now() - (SELECT occurred_at FROM unread ORDER BY tx, position LIMIT 1)), 0))::float8 AS seconds
             FROM unread`,
    values: [tx, position, streamTypes ?? null, most],
  });
  return { lagEvents: Number(row!.events), lagSeconds: row!.seconds };
}

/** A rebuild runs if somebody holds its lock. The lock ends with the process; the progress that it wrote may outlive it. */
async function readRebuild(database: Database, projection: Projection): Promise<Progress['rebuild']> {
  const [row] = await database.query<{ progress: number; secondsLeft: number | null }>({
    text: `SELECT coalesce(progress, 0) AS progress, seconds_left AS "secondsLeft"
             FROM pg_locks LEFT JOIN es_rebuild ON projection = $2
            WHERE locktype = 'advisory' AND objsubid = 1 AND granted
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
              AND ((classid::bigint << 32) | objid::bigint) = hashtextextended($1, 0)`,
    values: [rebuildLock(projection), projection.name],
  });
  return row ?? null;
}
