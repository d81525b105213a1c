import type { Database } from '#database/database.js';
import type { Projection } from './projection.js';

const TOLD_EVERY_MS = 1_000;

/** How far a rebuild has come. */
export interface RebuildProgress {
  /** Events applied so far. */
  events: number;
  /** The share of the work done, from 0 to 1. */
  progress: number;
  /** An estimate from the time taken so far; null at the beginning. */
  secondsLeft: number | null;
}

/** Measures the progress of a rebuild and reports it: to the process, and about every second to `es_rebuild`. */
export class RebuildMeter {
  private readonly began = performance.now();
  private events = 0;
  private told = -Infinity;

  private constructor(
    private readonly database: Database,
    private readonly projection: Projection,
    private total: number,
    private readonly onProgress: ((progress: RebuildProgress) => void) | undefined,
  ) {}

  static async start(
    database: Database,
    projection: Projection,
    onProgress?: (progress: RebuildProgress) => void,
  ): Promise<RebuildMeter> {
    const meter = new RebuildMeter(
      database,
      projection,
      await (database.isDistributed ? eventsDrawn(database) : eventsEstimated(database, projection)),
      onProgress,
    );
    await meter.tell();
    return meter;
  }

  async read(events: number): Promise<void> {
    this.events += events;
    await this.tell();
  }

  /** Corrects the estimate: all events are read. */
  async allRead(): Promise<void> {
    this.total = this.events;
    await this.tell();
  }

  async end(): Promise<void> {
    await this.database.query({
      text: 'DELETE FROM es_rebuild WHERE projection = $1',
      values: [this.projection.name],
    });
  }

  private async tell(): Promise<void> {
    const progress = this.now();
    this.onProgress?.(progress);
    if (performance.now() < this.told + TOLD_EVERY_MS) return;
    this.told = performance.now();
    await this.database.query({
      name: 'es_rebuild',
      text: `INSERT INTO es_rebuild (projection, progress, seconds_left) VALUES ($1, $2, $3)
             ON CONFLICT (projection) DO UPDATE SET progress = excluded.progress, seconds_left = excluded.seconds_left`,
      values: [this.projection.name, progress.progress, progress.secondsLeft],
    });
  }

  private now(): RebuildProgress {
    const { events, total } = this;
    const progress = events >= total ? 1 : events / total;
    const seconds = (performance.now() - this.began) / 1_000;
    return { events, progress, secondsLeft: progress > 0 ? (seconds * (1 - progress)) / progress : null };
  }
}

/** The planner's estimate: counting millions would take longer than a rebuild may wait. */
async function eventsEstimated(database: Database, projection: Projection): Promise<number> {
  const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>({
    text: 'EXPLAIN (FORMAT JSON) SELECT FROM es_event WHERE $1::text[] IS NULL OR stream_type = ANY ($1)',
    values: [(projection.bulk && projection.streamTypes) ?? null],
  });
  return row!['QUERY PLAN'][0].Plan['Plan Rows'];
}

/** The plan of a cluster has no estimate. */
async function eventsDrawn(database: Database): Promise<number> {
  const [row] = await database.query<{ drawn: number }>({
    text: 'SELECT last_value::float8 AS drawn FROM es_position',
  });
  return row!.drawn;
}
