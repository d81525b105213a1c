import type { Instant } from '#kernel/instant.js';
import { type Range, slice, type Window } from './window-slices.js';

/**
 * A relation over a window: rows of `periods` for its whole hours, days and months, and rows of `facts` for its edges.
 * Parameters: $1 organization, $2 to $15 as `slicedValues` gives them.
 */
export const sliced = (periods: string, facts: (from: string, to: string) => string): string =>
  [
    facts('$2', '$3'),
    facts('$4', '$5'),
    `${periods} AND unit = 'hour' AND at >= $6 AND at < $7`,
    `${periods} AND unit = 'hour' AND at >= $8 AND at < $9`,
    `${periods} AND unit = 'day' AND at >= $10 AND at < $11`,
    `${periods} AND unit = 'day' AND at >= $12 AND at < $13`,
    `${periods} AND unit = 'month' AND at >= $14 AND at < $15`,
  ].join('\nUNION ALL\n');

export function slicedValues(organizationId: string, window: Window): [string, ...Instant[]] {
  const { edges, hours, days, months } = slice(window);
  return [organizationId, ...[...edges, ...hours, ...days, months].flat()];
}

/**
 * The same over many windows. Each row begins with the number of its window, from 0. Parameters: $1 organization, $2 to $13 as
 * `slicedEachValues` gives them. OFFSET 0 has each range looked up in the index.
 */
export const slicedEach = (periods: string, facts: (from: string, to: string) => string): string =>
  [
    facts('part.begins', 'part.ends'),
    ...(['hour', 'day', 'month'] as const).map(
      (unit) => `${periods} AND unit = '${unit}' AND at >= part.begins AND at < part.ends`,
    ),
  ]
    .map((rows, nr) => {
      const [numbers, begins, ends] = [nr * 3 + 2, nr * 3 + 3, nr * 3 + 4];
      return `
    SELECT part.number, counted.*
      FROM unnest($${numbers}::int[], $${begins}::timestamptz[], $${ends}::timestamptz[]) AS part (number, begins, ends)
     CROSS JOIN LATERAL (${rows} OFFSET 0) counted`;
    })
    .join('\nUNION ALL\n');

type Parts = [numbers: number[], begins: Instant[], ends: Instant[]];

export function slicedEachValues(
  organizationId: string,
  windows: Window[],
): [string, ...(number[] | Instant[])[]] {
  const slices = windows.map(slice);
  const kinds = [
    slices.map(({ edges }) => edges),
    slices.map(({ hours }) => hours),
    slices.map(({ days }) => days),
    slices.map(({ months }) => [months]),
  ];
  return [organizationId, ...kinds.flatMap(partsOf)];
}

/** The ranges that are not empty, with the numbers of their windows. */
function partsOf(ranges: Range[][]): Parts {
  const parts = ranges
    .flatMap((own, number) => own.map(([from, to]) => ({ number, from, to })))
    .filter(({ from, to }) => from !== to);
  return [parts.map(({ number }) => number), parts.map(({ from }) => from), parts.map(({ to }) => to)];
}

/** The rows of a statement about `agent.id` for each of the agents whose ids the parameter has; each begins with its `id`. */
export const ofEach = (parameter: string, statement: string): string =>
  `SELECT agent.id, counted.* FROM unnest(${parameter}::text[]) AS agent (id) CROSS JOIN LATERAL (${statement}) counted`;
