import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Reader } from '#database/statement.js';
import { type Instant, now } from '#kernel/instant.js';
import { caughtUpTo } from '#event-store/progress.js';
import { analytics } from './analytics.projection.js';

const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  LOCK TABLE ${analytics.tables.join(', ')} IN ACCESS SHARE MODE`;

/** Reads figures as of one instant. */
@Injectable()
export class Snapshots {
  constructor(private readonly database: Database) {}

  /**
   * The result of `read`, with `as_of`. All reads see one snapshot, so the figures agree with one another. The tables are
   * locked before the snapshot is taken: otherwise a rebuild could replace them by tables that the snapshot sees half
   * filled.
   */
  take<Figures extends object>(
    read: (tx: Reader, asOf: Promise<Instant>) => Promise<Figures>,
  ): Promise<Figures & { as_of: Instant }> {
    const asked = now();
    return this.database.snapshot(BEGIN, async (tx) => {
      const asOf = caughtUpTo(tx, analytics, asked);
      const [figures, as_of] = await Promise.all([read(tx, asOf), asOf]);
      return { ...figures, as_of };
    });
  }
}
