import type { FieldProblem } from '../problems/problem.js';

const DEEPEST = 64;

/**
 * Finds what PostgreSQL's text and jsonb cannot hold, anywhere in a JSON object: U+0000, unpaired surrogates,
 * numbers beyond a double (JSON.parse makes 1e999 Infinity) and nesting below 64 levels. Gives the first of each field.
 */
export function findUnstorable(source: object): FieldProblem[] {
  const found: FieldProblem[] = [];
  for (const [key, value] of Object.entries(source)) {
    const problem = problemOf('body', key) ?? firstOf(value, key, 1);
    if (problem) found.push(problem);
  }
  return found;
}

function firstOf(value: unknown, path: string, depth: number): FieldProblem | null {
  if (typeof value === 'string') return problemOf(path, value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : { field: path, detail: 'is a number out of range' };
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= DEEPEST) return { field: path, detail: `is nested deeper than ${DEEPEST} levels` };
  for (const [key, inner] of Object.entries(value)) {
    const found = problemOf(path, key) ?? firstOf(inner, `${path}.${key}`, depth + 1);
    if (found) return found;
  }
  return null;
}

function problemOf(field: string, text: string): FieldProblem | null {
  if (text.includes('\u0000')) return { field: clean(field), detail: 'must not contain the NUL character' };
  if (!text.isWellFormed()) return { field: clean(field), detail: 'must not contain an unpaired surrogate' };
  return null;
}

/** A field's name that can itself be answered in JSON. */
const clean = (field: string): string => field.replaceAll('\u0000', '').toWellFormed();
