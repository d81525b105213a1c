import type { FieldProblem } from '../problems/problem.js';

/** Parameters of a query that the route's DTO need not know, as they were read before: their names, and what is wrong with them. */
export interface ReadElsewhere {
  names: readonly string[];
  problems: readonly FieldProblem[];
}

const READ = Symbol('read elsewhere');
const NOTHING: ReadElsewhere = { names: [], problems: [] };

type Query = { [READ]?: ReadElsewhere };

/** Notes at a query what was read of it. */
export const noteRead = (query: object, read: ReadElsewhere): void => void ((query as Query)[READ] = read);

export const readElsewhere = (query: unknown): ReadElsewhere => (query as Query)[READ] ?? NOTHING;
