import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Instant } from '#kernel/instant.js';

/** Where a hit stands among the hits by time. */
export type Moment = [occurredAt: Instant, id: string];

export interface Hit {
  id: string;
  occurred_at: Instant;
  /** Whether all words are in its title. */
  in_title: boolean;
}

export interface Asked {
  /** As PostgreSQL reads a tsquery; with the organization's mark. */
  query: string;
  /** The same for titles alone. */
  title: string;
  start_date?: string | undefined;
  end_date?: string | undefined;
}

/** Reads what search knows. */
@Injectable()
export class SearchQueries {
  constructor(private readonly database: Database) {}

  /**
   * The newest hits, at most so many, up to a moment (`upTo`) or older than it. Planned for each query: a word that most
   * documents have is looked for from the newest on, another one by the index of words.
   */
  newestHits(
    organizationId: string,
    { query, title, start_date, end_date }: Asked,
    { from, isIncluded }: { from: Moment | null; isIncluded: boolean },
    limit: number,
  ): Promise<Hit[]> {
    const [at = null, id = null] = from ?? [];
    return this.database.query<Hit>({
      text: `SELECT id, occurred_at, words @@ $3::tsquery AS in_title FROM search_document
              WHERE organization_id = $1 AND words @@ $2::tsquery
                ${start_date === undefined ? 'AND $4::timestamptz IS NULL' : 'AND occurred_at >= $4::timestamptz'}
                ${end_date === undefined ? 'AND $5::timestamptz IS NULL' : 'AND occurred_at < $5::timestamptz'}
                ${from === null ? 'AND $6::timestamptz IS NULL AND $7::text IS NULL' : `AND (occurred_at, id) ${isIncluded ? '<=' : '<'} ($6::timestamptz, $7)`}
              ORDER BY occurred_at DESC, id DESC LIMIT $8`,
      values: [organizationId, query, title, start_date ?? null, end_date ?? null, at, id, limit],
    });
  }
}
