import type { Database, Transaction } from '#database/database.js';
import { BEGINNING, type Cursor, cursorAfter, readEvents, readWatermark } from './feed.js';
import type { Projection } from './projection.js';
import { upcast, type Upcasters } from './upcast.js';

const BATCH = 500;
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

interface Checkpoint extends Cursor {
  projection: string;
}

/** Keeps asynchronous projections up to date with the feed. Any number of processes may run one; they take turns. */
export class ProjectionRunner {
  private running = false;
  private loop: Promise<void> = Promise.resolve();
  private rest: { timer: NodeJS.Timeout; end: () => void } | null = null;
  private woken = false;

  constructor(
    private readonly database: Database,
    private readonly projections: Projection[],
    private readonly upcasters: Upcasters,
    private readonly onError: (error: unknown, projection: string) => void,
  ) {}

  start(): void {
    this.running = true;
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.running = false;
    this.wake();
    await this.loop;
  }

  /** Looks at the feed now rather than after the current pause. */
  wake(): void {
    this.woken = true;
    this.rest?.end();
  }

  /** Applies all that is readable now, for tests and the command line. */
  async catchUp(): Promise<void> {
    for (const projection of this.projections) while ((await this.advance(projection)) > 0);
  }

  private async run(): Promise<void> {
    let pause = SHORTEST_PAUSE_MS;
    while (this.running) {
      this.woken = false;
      const moved = await this.round();
      pause = moved || this.woken ? SHORTEST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
      if (!moved) await this.pause(pause);
    }
  }

  private async round(): Promise<boolean> {
    let moved = false;
    for (const projection of this.projections) {
      try {
        moved = (await this.advance(projection)) > 0 || moved;
      } catch (error) {
        this.onError(error, projection.name);
      }
    }
    return moved;
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(this.rest?.timer);
        this.rest = null;
        resolve();
      };
      this.rest = { timer: setTimeout(end, milliseconds), end };
    });
  }

  /** Applies one batch and moves the checkpoint in the same transaction; gives the number of events. */
  private async advance(projection: Projection): Promise<number> {
    if (!(await this.hasNews(projection))) return 0;
    return this.database.transaction(async (tx) => {
      const checkpoint = await takeTurn(tx, projection);
      if (!checkpoint) return 0;
      const stored = await readEvents(tx, checkpoint, await readWatermark(tx), BATCH);
      if (stored.length === 0) return 0;
      await projection.apply(
        tx,
        stored.map((event) => upcast(this.upcasters, event)),
      );
      await saveCheckpoint(tx, projection, cursorAfter(stored, checkpoint));
      return stored.length;
    });
  }

  /** A look that draws no xid, so that an idle process writes nothing. */
  private async hasNews(projection: Projection): Promise<boolean> {
    const watermark = await readWatermark(this.database);
    const [row] = await this.database.query<{ news: boolean }>({
      name: 'es_news',
      text: `SELECT EXISTS (SELECT FROM es_event e
                             WHERE (e.tx, e.position) > (coalesce(c.tx, '0'::xid8), coalesce(c.position, 0))
                               AND e.tx < $2::text::xid8) AS news
               FROM (SELECT 1) one LEFT JOIN es_checkpoint c ON c.projection = $1`,
      values: [projection.name, watermark],
    });
    return row?.news ?? false;
  }
}

/** The checkpoint, locked, or null while another process has its turn. */
async function takeTurn(tx: Transaction, { name, version }: Projection): Promise<Checkpoint | null> {
  await tx.query({
    text: `INSERT INTO es_checkpoint (projection, version, tx, position, status, updated_at)
           VALUES ($1, $2, $3::text::xid8, $4, 'live', now()) ON CONFLICT DO NOTHING`,
    values: [name, version, BEGINNING.tx, BEGINNING.position],
  });
  const [row] = await tx.query<Checkpoint>({
    text: `SELECT projection, tx::text AS tx, position FROM es_checkpoint WHERE projection = $1 FOR UPDATE SKIP LOCKED`,
    values: [name],
  });
  return row ?? null;
}

/** Moves the checkpoint; the caller holds its row. */
export async function saveCheckpoint(
  tx: Transaction,
  { name, version }: Projection,
  cursor: Cursor,
): Promise<void> {
  await tx.query({
    text: `INSERT INTO es_checkpoint (projection, version, tx, position, status, updated_at)
           VALUES ($1, $2, $3::text::xid8, $4, 'live', now())
           ON CONFLICT (projection) DO UPDATE
           SET version = excluded.version, tx = excluded.tx, position = excluded.position, updated_at = excluded.updated_at`,
    values: [name, version, cursor.tx, cursor.position],
  });
}
