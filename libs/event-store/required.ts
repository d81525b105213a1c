import { type IdKind, isId } from '#kernel/id.js';

/** A record of the organization that an append refers to, and what to throw where there is none. */
export interface Required {
  id: string;
  otherwise: () => Error;
}

/** Throws at once what a malformed id or one of another kind comes to; whether the record exists, the append finds out. */
export function required(kind: IdKind, id: string, otherwise: () => Error): Required {
  if (!isId(kind, id)) throw otherwise();
  return { id, otherwise };
}

/** What is to be thrown for the first of these that is among the missing ones. */
export const errorOfMissing = (required: Required[], missing: Set<string>): Error | undefined =>
  required.find(({ id }) => missing.has(id))?.otherwise();
