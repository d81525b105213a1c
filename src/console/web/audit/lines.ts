/** A value that changed, within which field: `custom_fields`, `plan`. */
export interface ChangedValue {
  path: string[];
  from: unknown;
  to: unknown;
}

/** Items that a list lost and got, with how many stayed. */
export interface ChangedList {
  path: string[];
  removed: unknown[];
  added: unknown[];
  kept: number;
}

export type Line = ChangedValue | ChangedList;

export interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

/** What differs, down to single values: of objects each key, of lists each item. */
export const linesOf = ({ field, from, to }: Change): Line[] => between([field], from, to);

function between(path: string[], from: unknown, to: unknown): Line[] {
  if (isSame(from, to)) return [];
  const lists = bothLists(from, to);
  if (lists) return [changedList(path, ...lists)];
  const objects = bothObjects(from, to);
  if (objects) {
    const [before, after] = objects;
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const lines = keys.flatMap((key) => between([...path, key], before[key] ?? null, after[key] ?? null));
    if (lines.length > 0) return lines;
  }
  return [{ path, from, to }];
}

function changedList(path: string[], from: unknown[], to: unknown[]): ChangedList {
  const added = without(to, from);
  return { path, removed: without(from, to), added, kept: to.length - added.length };
}

/** The items that are not among the others, each of which stands for one. */
function without(items: unknown[], others: unknown[]): unknown[] {
  const left = others.map((item) => JSON.stringify(item));
  return items.filter((item) => {
    const at = left.indexOf(JSON.stringify(item));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

type Fields = Record<string, unknown>;

/** Two lists, or one and nothing. */
const bothLists = (from: unknown, to: unknown): [unknown[], unknown[]] | null =>
  [from, to].some(Array.isArray) && [from, to].every((one) => one == null || Array.isArray(one))
    ? [(from ?? []) as unknown[], (to ?? []) as unknown[]]
    : null;

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const bothObjects = (from: unknown, to: unknown): [Fields, Fields] | null =>
  [from, to].some(isObject) && [from, to].every((one) => one == null || isObject(one))
    ? [(from ?? {}) as Fields, (to ?? {}) as Fields]
    : null;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Two texts with what they have in common at both ends, in whole words. */
export function apart(from: string, to: string): { start: string; from: string; to: string; end: string } {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let end = 0;
  const room = Math.min(from.length, to.length) - start;
  while (end < room && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  while (start > 0 && isWithinWord(from, to, start)) start--;
  while (end > 0 && isWithinWord(from, to, from.length - end, to.length - end)) end--;
  return {
    start: from.slice(0, start),
    from: from.slice(start, from.length - end),
    to: to.slice(start, to.length - end),
    end: from.slice(from.length - end),
  };
}

const LETTER = /[\p{L}\p{N}]/u;
const isWithinWord = (from: string, to: string, at: number, atTo = at): boolean =>
  (LETTER.test(from[at - 1] ?? '') && LETTER.test(from[at] ?? '')) ||
  (LETTER.test(to[atTo - 1] ?? '') && LETTER.test(to[atTo] ?? ''));
