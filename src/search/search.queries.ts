import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Instant } from '#kernel/instant.js';
import type { Wanted } from './search-query.js';

/** Where a hit stands among the hits by time. */
export type Moment = [occurredAt: Instant, id: string];

export interface Hit {
  id: string;
  occurred_at: Instant;
  /** Whether all words are in its title. */
  in_title: boolean;
}

export interface Asked {
  /** Tokens that a document must have: the organization and the filters. */
  all: number[];
  /** Sets of tokens, of each of which it must have one. */
  oneOfEach: number[][];
  /** Of one of the alternatives it must have all that is wanted. */
  alternatives: Wanted[][];
  /** For each alternative, the tokens that tell that all words are in the title. */
  titles: number[][];
  start_date?: string | undefined;
  end_date?: string | undefined;
}

/** Reads what search knows. */
@Injectable()
export class SearchQueries {
  constructor(private readonly database: Database) {}

  /**
   * The newest documents that may hold what is asked for, at most so many, up to a moment (`isIncluded`) or older than it.
   * Planned for each query: a word that most documents have is looked for from the newest on, another one by the index of tokens.
   */
  newestHits(
    organizationId: string,
    { all, oneOfEach, alternatives, titles, start_date, end_date }: Asked,
    { from, isIncluded }: { from: Moment | null; isIncluded: boolean },
    limit: number,
  ): Promise<Hit[]> {
    const values: unknown[] = [organizationId];
    const value = (one: unknown, type: string) => `$${values.push(one)}::${type}`;
    const has = (tokens: number[]) => (tokens.length === 0 ? 'true' : `tokens @> ${value(tokens, 'int[]')}`);
    const hasWanted = ({ anyOf, noneOf }: Wanted) =>
      [
        `(${anyOf.map(has).join(' OR ')})`,
        ...(noneOf.length > 0 ? [`NOT tokens && ${value(noneOf, 'int[]')}`] : []),
      ].join(' AND ');
    const title = titles.map((tokens) => (tokens.length === 0 ? 'false' : has(tokens))).join(' OR ');
    const conditions = [
      'organization_id = $1',
      has(all),
      ...oneOfEach.map((tokens) => `tokens && ${value(tokens, 'int[]')}`),
      `(${alternatives.map((wanted) => `(${wanted.map(hasWanted).join(' AND ')})`).join(' OR ')})`,
      ...(start_date === undefined ? [] : [`occurred_at >= ${value(start_date, 'timestamptz')}`]),
      ...(end_date === undefined ? [] : [`occurred_at < ${value(end_date, 'timestamptz')}`]),
      ...(from === null
        ? []
        : [
            `(occurred_at, id) ${isIncluded ? '<=' : '<'} (${value(from[0], 'timestamptz')}, ${value(from[1], 'text')})`,
          ]),
    ];
    return this.database.query<Hit>({
      text: `SELECT id, occurred_at, (${title}) AS in_title FROM search_document
              WHERE ${conditions.join(' AND ')} ORDER BY occurred_at DESC, id DESC LIMIT ${value(limit, 'int')}`,
      values,
    });
  }
}
