import type { Database } from '#database/database.js';
import { TRY_AGAIN } from '#database/refusal.js';
import type { Transaction } from '#database/statements/statement.js';
import { hasCode } from '#kernel/error-code.js';
import { type Instant, justAfter, now } from '#kernel/instant.js';

/*
 * Clients keep copies of our records in step by asking for what has changed since the last change they saw. So no change may appear
 * that claims to be earlier than one that could be seen. Transactions commit in any order and clocks differ, so a reader first
 * draws a line: it waits until all that is being written is committed, and everything written afterwards is after the line.
 */

/** The lines that this process has come upon, by organization. */
const known = new Map<string, Instant>();
/** Until when (`performance.now()`) appends of an organization hold its line before they are planned. */
const held = new Map<string, number>();
/** Milliseconds after a refusal: whoever has drawn one line may draw the next before the append is tried again. */
const HELD_MS = 1_000;

/** The instant of an event that is recorded now: the clock's, or just after the organization's line, where the clock is behind. */
export function recordedAt(organizationId: string): Instant {
  const [clock, line] = [now(), known.get(organizationId)];
  if (line === undefined || clock > line) return clock;
  const next = justAfter(line);
  known.set(organizationId, next);
  return next;
}

/** If this is the refusal of events that are not after the line, remembers it for the next try. Throws the error again. */
export const learningLine =
  (organizationId: string) =>
  (error: unknown): never => {
    if (hasCode(error, TRY_AGAIN)) {
      known.set(organizationId, (error as { detail: Instant }).detail);
      held.set(organizationId, performance.now() + HELD_MS);
    }
    throw error;
  };

/** Whether readers have lately drawn a line between the plan of an append and the append. */
export function isDrawnOften(organizationId: string): boolean {
  const until = held.get(organizationId);
  if (until === undefined) return false;
  if (performance.now() < until) return true;
  held.delete(organizationId);
  return false;
}

/**
 * Holds the line until the transaction ends: what is planned afterwards is after it. As in `es_append` it is the last lock, so call it
 * when the transaction has all others.
 */
export async function holdLine(tx: Transaction, organizationId: string): Promise<void> {
  const at = await instantAfterLine(tx, organizationId);
  known.set(organizationId, at);
}

/** For a row that is written without events: an instant after the line, which is held until the transaction ends. */
export async function instantAfterLine(tx: Transaction, organizationId: string): Promise<Instant> {
  await tx.query({
    name: 'share_line',
    text: "SELECT pg_advisory_xact_lock_shared(es_lock_key($1, 'line'))",
    values: [organizationId],
  });
  const [row] = await tx.query<{ at: Instant }>({
    name: 'after_line',
    text: `SELECT greatest(clock_timestamp(), (SELECT at + interval '1 microsecond' FROM es_line WHERE organization_id = $1)) AS at`,
    values: [organizationId],
  });
  return row!.at;
}

/** Draws the line: up to this instant, all changes of the organization are committed and none will be added. */
export function drawLine(database: Database, organizationId: string): Promise<Instant> {
  return database.transaction(async (tx) => {
    tx.query({
      name: 'hold_line',
      text: "SELECT pg_advisory_xact_lock(es_lock_key($1, 'line'))",
      values: [organizationId],
    }).catch(() => {});
    const [line] = await tx.query<{ at: Instant }>({
      name: 'draw_line',
      text: `INSERT INTO es_line AS line (organization_id, at) VALUES ($1, greatest(clock_timestamp(), $2))
             ON CONFLICT (organization_id) DO UPDATE SET at = greatest(line.at, excluded.at) RETURNING at`,
      values: [organizationId, now()],
    });
    return line!.at;
  });
}
