import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredEvent } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import type { Database } from '#database/database.js';
import { isDeadlock } from '#database/refusal.js';
import type { Transaction } from '#database/statements/statement.js';
import { randomFrom, type Random } from '../random.js';
import { rawAppend } from '../database/raw-append.js';
import { isAllReadable } from '../until.js';

/** Many writers that append to overlapping sets of streams, pause before they commit, and sometimes roll back. */
export interface Load {
  database: Database;
  seed: number;
  writers: number;
  /** Committed events after which the writers stop. */
  events: number;
  streams: number;
  /** Milliseconds between an append and its end. */
  pause(random: Random): number;
  /** The function that appends, and what a transaction does before it. */
  append?: string;
  before?(tx: Transaction, random: Random): Promise<void>;
}

class Abandoned extends Error {}

/** Runs the load to its end. */
export async function writeLoad(load: Load): Promise<void> {
  const random = randomFrom(load.seed);
  const organizations = [newId('org'), newId('org')];
  const streams = Array.from({ length: load.streams }, (_, nr) => ({
    organizationId: organizations[nr % organizations.length]!,
    id: newId('contact'),
  }));
  let committed = 0;
  const writer = async (own: Random) => {
    while (committed < load.events) {
      const organizationId = own.sample(organizations, 1)[0]!;
      const ids = own.sample(
        streams.filter((stream) => stream.organizationId === organizationId).map(({ id }) => id),
        own.integer(1, 4),
      );
      const events = await append(load, own, organizationId, ids).catch(unlessExpected);
      committed += events;
    }
  };
  await Promise.all(
    Array.from({ length: load.writers }, () => writer(randomFrom(random.integer(0, 2 ** 31)))),
  );
}

/** One transaction; gives the number of events it has committed. */
function append(load: Load, random: Random, organizationId: string, ids: string[]): Promise<number> {
  return load.database.transaction(async (tx) => {
    await load.before?.(tx, random);
    // Half of the writers decide under the locks; the others trust the version they have read and may lose.
    if (random.chance(0.5))
      await tx.query({ name: 'load_lock', text: 'SELECT es_lock($1, $2)', values: [organizationId, ids] });
    const versions = await tx.query<{ id: string; version: number }>({
      name: 'load_versions',
      text: `SELECT id, (SELECT coalesce(max(version), 0) FROM es_event
                          WHERE organization_id = $1 AND stream_id = id) AS version
               FROM unnest($2::text[]) AS id`,
      values: [organizationId, ids],
    });
    const streams = versions.map(({ id, version }) => ({
      id,
      type: 'load',
      expected: version,
      events: Array.from({ length: random.integer(1, 3) }, () => ({ type: 'Loaded', data: {} })),
    }));
    await tx.query(rawAppend(organizationId, streams, load.append));
    const pause = load.pause(random);
    if (pause > 0) await sleep(pause);
    if (random.chance(0.15)) throw new Abandoned();
    return streams.reduce((sum, { events }) => sum + events.length, 0);
  });
}

/** A cluster may take waits on several nodes for a deadlock. */
function unlessExpected(error: unknown): number {
  if (error instanceof Abandoned || (error as { code?: string }).code === 'PE002' || isDeadlock(error))
    return 0;
  throw error;
}

/** Reads on and on while the load runs, until there is nothing more; gives what was delivered, in that order. */
export async function readAlong(
  database: Database,
  load: Promise<void>,
  read: (last: StoredEvent | undefined) => Promise<StoredEvent[]>,
): Promise<StoredEvent[]> {
  const delivered: StoredEvent[] = [];
  let ended = false;
  const writing = load.finally(() => (ended = true));
  writing.catch(() => {});
  for (;;) {
    const complete = ended && (await isAllReadable(database));
    const events = await read(delivered.at(-1));
    for (const event of events) delivered.push(event);
    if (complete && events.length === 0) break;
    if (events.length === 0) await sleep(1);
  }
  await writing;
  return delivered;
}

/** What a reader got wrong. */
export interface Shortcomings {
  lost: number;
  doubled: number;
  unknown: number;
  /** Deliveries of a version after a later one of the same stream. */
  misordered: number;
}

/** Compares what a reader was given with what is stored. */
export async function shortcomings(database: Database, delivered: StoredEvent[]): Promise<Shortcomings> {
  const stored = await database.query<{ event_id: string }>({ text: 'SELECT event_id FROM es_event' });
  const seen = new Set(delivered.map(({ event_id }) => event_id));
  const known = new Set(stored.map(({ event_id }) => event_id));
  const latest = new Map<string, number>();
  let misordered = 0;
  for (const { organization_id, stream_id, version } of delivered) {
    const key = `${organization_id}/${stream_id}`;
    if (version < (latest.get(key) ?? 0)) misordered++;
    latest.set(key, Math.max(version, latest.get(key) ?? 0));
  }
  return {
    lost: [...known].filter((id) => !seen.has(id)).length,
    doubled: delivered.length - seen.size,
    unknown: [...seen].filter((id) => !known.has(id)).length,
    misordered,
  };
}
