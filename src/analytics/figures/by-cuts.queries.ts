import type { Correction, CutParts } from './cut-parts.js';

/** What is counted: the columns of a table of sums per period, that table with its conditions, and the same of facts. */
export interface Counted {
  columns: string;
  periods: string;
  facts: (from: string, to: string) => string;
}

/**
 * A relation over the buckets of a window. Each row begins with the number of its bucket, from 0, and a sign by which its
 * counts are added or taken away. The periods between the first cut and the last are read at once, however many buckets there
 * are; OFFSET 0 has each range of a correction looked up in the index. Parameters: $1 organization, $2 to $15 as
 * `byCutsValues` gives them.
 */
export function byCuts({ columns, periods, facts }: Counted): string {
  const [begins, ends] = ['part.begins', 'part.ends'];
  const ofUnit = (unit: string) =>
    `SELECT ${columns} FROM ${periods} AND unit = ${unit} AND at >= ${begins} AND at < ${ends}`;
  return [
    `
    SELECT width_bucket(at, $2::timestamptz[]) - 1 AS number, 1 AS sign, ${columns} FROM ${periods} AND unit = $3
       AND at >= ($2::timestamptz[])[1] AND at < ($2::timestamptz[])[cardinality($2::timestamptz[])]`,
    ...[ofUnit(`'day'`), ofUnit(`'hour'`), facts(begins, ends)].map((rows, nr) =>
      corrections(rows, 4 + 4 * nr),
    ),
  ].join('\nUNION ALL\n');
}

const corrections = (rows: string, first: number): string => `
    SELECT part.number, part.sign, counted.*
      FROM unnest($${first}::int[], $${first + 1}::int[], $${first + 2}::timestamptz[], $${first + 3}::timestamptz[])
             AS part (number, sign, begins, ends)
     CROSS JOIN LATERAL (${rows} OFFSET 0) counted`;

/** The first parameter after those of `byCuts`. */
export const AFTER_CUTS = '$16';

export const byCutsValues = (
  organizationId: string,
  { unit, nearest, days, hours, edges }: CutParts,
): string[] => [organizationId, arrayOf(nearest), unit, ...[days, hours, edges].flatMap(columnsOf)];

const columnsOf = (corrections: Correction[]): string[] =>
  (['number', 'sign', 'begins', 'ends'] as const).map((column) =>
    arrayOf(corrections.map((one) => one[column])),
  );

/** Numbers or instants as PostgreSQL writes an array: nothing in them has to be quoted, which the driver would look for. */
export const arrayOf = (items: (number | string)[]): string => `{${items.join(',')}}`;
