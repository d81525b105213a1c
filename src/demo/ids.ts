import type { Instant } from '#kernel/instant.js';

/** The ids of planned records, by their positions in the plan. */
export type Ids = Record<
  'agents' | 'companies' | 'contacts' | 'sales' | 'conversations' | 'scenes',
  string[]
>;

export const instantOf = (milliseconds: number): Instant =>
  new Date(milliseconds).toISOString().replace('Z', '000Z');
