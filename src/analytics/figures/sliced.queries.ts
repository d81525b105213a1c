import type { Instant } from '#kernel/instant.js';
import { slice, type Window } from './window-slices.js';

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

/** The rows of a statement about `agent.id` for each of the agents whose ids the parameter has; each begins with its `id`. */
export const ofEach = (parameter: string, statement: string): string =>
  `SELECT agent.id, counted.* FROM unnest(${parameter}::text[]) AS agent (id) CROSS JOIN LATERAL (${statement}) counted`;
