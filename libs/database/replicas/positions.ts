import { Batches } from '#batching/batches.js';
import type { Reader } from '../statements/statement.js';
import { asNumber } from './position.js';

/** How long a key whose write could not be noted reads from the primary, by when every replica in use has replayed it. */
const UNSURE_MS = 10_000;
/** How long positions are of use: no replica that is further behind is in use. */
const KEPT = `interval '1 minute'`;

interface Asked {
  keyId: string;
  resolve: (position: number) => void;
  reject: (error: unknown) => void;
}

interface Written {
  keyId: string;
  resolve: () => void;
}

/**
 * Where in the primary's log the latest write of each key is, for all processes. One statement at a time reads for all who ask,
 * and one notes for all who have written; whoever comes while it is under way waits for the next one, which sees more.
 */
export class WritePositions {
  private readonly reads = new Batches<Asked>(takeAll, (batch) => this.readAll(batch), { lanes: 1 });
  private readonly writes = new Batches<Written>(takeAll, (batch) => this.noteAll(batch), { lanes: 1 });
  /** Until when, in milliseconds of a steady clock, keys read from the primary. */
  private readonly unsure = new Map<string, number>();

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

  private async readAll(batch: Asked[]): Promise<void> {
    try {
      const rows = await this.primary.query<{ key_id: string; position: number }>({
        name: 'write_positions',
        text: `SELECT key_id, ${asNumber('position')} AS position FROM write_position WHERE key_id = ANY ($1)`,
        values: [keysOf(batch)],
      });
      const positions = new Map(rows.map(({ key_id, position }) => [key_id, position]));
      for (const { keyId, resolve } of batch)
        resolve(this.isUnsure(keyId) ? Infinity : (positions.get(keyId) ?? 0));
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

  /** Deletes positions that are of use no more, those of keys that are gone among them. */
  async forgetOld(): Promise<void> {
    await this.primary.query({
      text: `DELETE FROM write_position WHERE key_id IN (
               SELECT key_id FROM write_position WHERE written_at < now() - ${KEPT} FOR UPDATE SKIP LOCKED)`,
    });
  }
}

const takeAll = <Item>(waiting: Item[]): { batch: Item[]; left: Item[] } => ({ batch: waiting, left: [] });

const keysOf = (batch: { keyId: string }[]): string[] => [...new Set(batch.map(({ keyId }) => keyId))];
