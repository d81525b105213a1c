import { Batches } from '#batching/batches.js';
import type { Reader } from '../statements/statement.js';
import { asNumber, FLUSHED } from './position.js';

/** How long a key whose write could not be noted reads from the primary, by when every replica in use has replayed it. */
const UNSURE_MS = 10_000;
/** How long positions are of use: no replica that is further behind is in use. */
const KEPT = `interval '1 minute'`;

interface Asked {
  keyId: string;
  resolve: (position: number) => void;
  reject: (error: unknown) => void;
}

/** What a key has seen on the primary. */
interface Seen {
  /** Up to here at most; as far as it is known. */
  position: number;
  /** It has seen more since, whose position is found out when it reads next. */
  isMore: boolean;
  /** When, in milliseconds of a steady clock. */
  at: number;
}

interface Written {
  keyId: string;
  resolve: () => void;
}

/**
 * Where in the primary's log the latest write of each key is, for all processes, and what it has seen there in this one. One
 * statement at a time reads for all who ask, and one notes for all who have written; whoever comes while it is under way waits
 * for the next one, which sees more.
 */
export class WritePositions {
  private readonly reads = new Batches<Asked>(takeAll, (batch) => this.readAll(batch), { lanes: 1 });
  private readonly writes = new Batches<Written>(takeAll, (batch) => this.noteAll(batch), { lanes: 1 });
  /** Until when, in milliseconds of a steady clock, keys read from the primary. */
  private readonly unsure = new Map<string, number>();
  private readonly seen = new Map<string, Seen>();

  constructor(
    private readonly primary: Reader,
    private readonly log: { warn(text: string): void },
  ) {}

  /** The position that a reader with this key must see, as it is after the call; Infinity when that is not known. */
  of(keyId: string): Promise<number> {
    return new Promise((resolve, reject) => this.reads.add({ keyId, resolve, reject }));
  }

  /** Notes that a request with this key may have written, and has committed it. Never throws: it is done. */
  note(keyId: string): Promise<void> {
    return new Promise((resolve) => this.writes.add({ keyId, resolve }));
  }

  /** Notes that the primary has answered a read with this key in a replica's place: later reads must not fall behind it. */
  noteSeen(keyId: string): void {
    this.seen.set(keyId, { position: this.seenBy(keyId), isMore: true, at: performance.now() });
  }

  private async readAll(batch: Asked[]): Promise<void> {
    const keyIds = keysOf(batch);
    // What is seen while the statement is under way may lie behind the position that it finds.
    const more = keyIds.flatMap((keyId) => this.seen.get(keyId) ?? []).filter(({ isMore }) => isMore);
    try {
      const rows = await this.primary.query<{ key_id: string; position: number | null; flushed: number }>({
        name: 'write_positions',
        text: `SELECT key_id, ${asNumber('position')} AS position, ${FLUSHED} AS flushed
               FROM unnest($1::text[]) AS asked (key_id) LEFT JOIN write_position USING (key_id)`,
        values: [keyIds],
      });
      for (const seen of more) Object.assign(seen, { position: rows[0]!.flushed, isMore: false });
      const positions = new Map(rows.map(({ key_id, position }) => [key_id, position]));
      for (const { keyId, resolve } of batch)
        resolve(this.isUnsure(keyId) ? Infinity : Math.max(positions.get(keyId) ?? 0, this.seenBy(keyId)));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** The position is read when the row is locked, so that it never goes back; in order of the keys, so that two processes do not deadlock. */
  private async noteAll(batch: Written[]): Promise<void> {
    const keyIds = keysOf(batch);
    try {
      await this.primary.query({
        name: 'note_writes',
        text: `INSERT INTO write_position (key_id, position, written_at)
               SELECT key_id, pg_current_wal_insert_lsn(), now() FROM unnest($1::text[]) AS written (key_id) ORDER BY key_id
               ON CONFLICT (key_id) DO UPDATE SET position = pg_current_wal_insert_lsn(), written_at = excluded.written_at`,
        values: [keyIds],
      });
    } catch (error) {
      for (const keyId of keyIds) this.unsure.set(keyId, performance.now() + UNSURE_MS);
      this.log.warn(
        `writes of ${keyIds.length} keys were not noted for replicas; in this process these read from the primary for ` +
          `${UNSURE_MS / 1_000} s: ${(error as Error).message}`,
      );
    }
    for (const { resolve } of batch) resolve();
  }

  private isUnsure(keyId: string): boolean {
    const until = this.unsure.get(keyId) ?? 0;
    if (until > performance.now()) return true;
    this.unsure.delete(keyId);
    return false;
  }

  private seenBy(keyId: string): number {
    return this.seen.get(keyId)?.position ?? 0;
  }

  /** Deletes positions that are of use no more, those of keys that are gone among them. */
  async forgetOld(): Promise<void> {
    const old = performance.now() - UNSURE_MS;
    for (const [keyId, { at }] of this.seen) if (at < old) this.seen.delete(keyId);
    await this.primary.query({
      text: `DELETE FROM write_position WHERE key_id IN (
               SELECT key_id FROM write_position WHERE written_at < now() - ${KEPT} FOR UPDATE SKIP LOCKED)`,
    });
  }
}

const takeAll = <Item>(waiting: Item[]): { batch: Item[]; left: Item[] } => ({ batch: waiting, left: [] });

const keysOf = (batch: { keyId: string }[]): string[] => [...new Set(batch.map(({ keyId }) => keyId))];
