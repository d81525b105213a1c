import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import { type Instant, now, plusSeconds } from '#kernel/instant.js';
import { caughtUpTo } from '#event-store/progress.js';
import { analytics } from '../projections/analytics.projection.js';

const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  LOCK TABLE ${analytics.tables.join(', ')} IN ACCESS SHARE MODE`;

const MICROSECOND = 0.000_001;
/** How far an instant named before may be ahead of the clock (see `Clock`). */
const LONGEST_LEAD_S = 1;

/** Reads figures as of one instant. */
@Injectable()
export class Snapshots {
  /** The latest `as_of` of this process. */
  private named: Instant = '1970-01-01T00:00:00.000000Z';

  constructor(private readonly database: Database) {}

  /**
   * The result of `read`, with `as_of`. All reads see one snapshot, so the figures agree with one another. The tables are
   * locked before the snapshot is taken: otherwise a rebuild could replace them by tables that the snapshot sees half
   * filled. An event that the figures do not hold yet may have happened before what they had caught up to when asked last;
   * `as_of` does not go back for that.
   */
  take<Figures extends object>(
    read: (tx: Reader, asOf: Promise<Instant>) => Promise<Figures>,
  ): Promise<Figures & { as_of: Instant }> {
    const asked = now();
    // Not the same instant again, as the figures may be others. One that lies ahead was named while the clock was wrong.
    const isAhead = this.named > plusSeconds(asked, LONGEST_LEAD_S);
    const least = (this.named = isAhead ? asked : plusSeconds(this.named, MICROSECOND));
    return this.database.snapshot(BEGIN, async (tx) => {
      const asOf = caughtUpTo(tx, analytics, asked).then((instant) => later(instant, least));
      const [figures, as_of] = await Promise.all([read(tx, asOf), asOf]);
      this.named = later(this.named, as_of);
      return { ...figures, as_of };
    });
  }
}

const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);
