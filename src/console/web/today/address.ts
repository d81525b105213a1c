import { changedQuery, go, href } from '../data/route.js';
import type { Figure } from './answers.js';
import type { Span } from './calendar.js';

/** Whose records are shown beside the page, by the names that the API has for it. */
export interface Behind extends Span {
  figure: Figure;
  agent_id: string | null;
  status_id: string | null;
}

type Narrowed = Partial<Pick<Behind, 'agent_id' | 'status_id'>>;

export function behindOf(query: URLSearchParams): Behind | null {
  const [figure, start_date, end_date] = ['figure', 'start_date', 'end_date'].map((name) => query.get(name));
  if (!figure || !start_date || !end_date) return null;
  const narrowed = { agent_id: query.get('agent_id'), status_id: query.get('status_id') };
  return { figure: figure as Figure, start_date, end_date, ...narrowed };
}

const WITHOUT = { figure: null, start_date: null, end_date: null, agent_id: null, status_id: null };

/** The page with the records of a figure beside it. */
export const recordsHref = (
  figure: Figure,
  { start_date, end_date }: Span,
  narrowed: Narrowed = {},
): string => href(['today'], changedQuery({ ...WITHOUT, figure, start_date, end_date, ...narrowed }));

export const closeRecords = (): void => go(href(['today'], changedQuery(WITHOUT)));

/** Another window, or another look at it: what was beside the old one is closed. */
export const choose = (changes: Record<string, string | null>): void =>
  go(href(['today'], changedQuery({ ...WITHOUT, ...changes })), { replace: true });

/** The plots that are shown as tables. */
export const tablesOf = (query: URLSearchParams): string[] => query.get('tables')?.split('.') ?? [];

export const showTables = (names: string[]): void =>
  go(href(['today'], changedQuery({ tables: names.join('.') })), { replace: true });
