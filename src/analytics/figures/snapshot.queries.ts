import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import { type Instant, now, plusSeconds } from '#kernel/instant.js';
import { waitForCommit } from '#event-store/checkpoint.js';
import { caughtUpTo } from '#event-store/progress.js';
import { analytics } from '../projections/analytics.projection.js';

const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const LOCK = `LOCK TABLE ${analytics.tables.join(', ')} IN ACCESS SHARE MODE`;

/** Before every instant named. */
const NONE: Instant = '1970-01-01T00:00:00.000000Z';
const MICROSECOND = 0.000_001;
/** How far an instant named before may be ahead of the clock (see `Clock`). */
const LONGEST_LEAD_S = 1;

/** Reads figures as of one instant. */
@Injectable()
export class Snapshots {
  /** The latest `as_of` that this process has named to each organization, by the server that the figures were read from. */
  private readonly named = new Map<string, Instant>();

  constructor(private readonly database: Database) {}

  /**
   * The result of `read` for an organization, with `as_of`. All reads see one snapshot, so the figures agree with one another. The tables are
   * locked before the snapshot is taken: otherwise a rebuild could replace them by tables that the snapshot sees half
   * filled. On a cluster the lock takes the snapshot of each node; so it comes after the checkpoint's, whose batch all nodes have then
   * committed. An event that the figures do not hold yet may have happened before what they had caught up to when asked last;
   * `as_of` does not go back for that, unless the figures come from another server: what a replica does not have yet has not
   * been counted.
   */
  take<Figures extends object>(
    organizationId: string,
    read: (tx: Reader, asOf: Promise<Instant>) => Promise<Figures>,
  ): Promise<Figures & { as_of: Instant }> {
    const { isDistributed } = this.database;
    return this.database.snapshot(
      isDistributed ? BEGIN : `${BEGIN};${LOCK}`,
      async (tx, { server, lagSeconds }) => {
        if (isDistributed) {
          await waitForCommit(tx, analytics);
          await tx.query({ text: LOCK });
        }
        const asked = plusSeconds(now(), -lagSeconds);
        const key = `${server} ${organizationId}`;
        // Not the same instant again, as the figures may be others. One that lies ahead was named while the clock was wrong.
        const named = this.named.get(key) ?? NONE;
        const isAhead = named > plusSeconds(asked, LONGEST_LEAD_S);
        const least = isAhead ? asked : plusSeconds(named, MICROSECOND);
        this.named.set(key, least);
        const asOf = caughtUpTo(tx, analytics, organizationId, asked).then((instant) =>
          later(instant, least),
        );
        const [figures, as_of] = await Promise.all([read(tx, asOf), asOf]);
        this.named.set(key, later(this.named.get(key) ?? NONE, as_of));
        return { ...figures, as_of };
      },
    );
  }
}

const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);
