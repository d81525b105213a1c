import { type IdKind, isId } from '#kernel/id.js';

/** A record of the organization that an append refers to, and what to throw where there is none. */
export interface Required {
  id: string;
  otherwise: () => Error;
}

const NOBODYS_ID = '';

/**
 * Whether the record exists, the append finds out. A malformed id or one of another kind is nobody's: what it comes to is
 * thrown when that of a record that is not there is, so that what else is wrong is told first of either.
 */
export const required = (kind: IdKind, id: string, otherwise: () => Error): Required => ({
  id: isId(kind, id) ? id : NOBODYS_ID,
  otherwise,
});

/** What is to be thrown for the first of these that is among the missing ones. */
export const errorOfMissing = (required: Required[], missing: Set<string>): Error | undefined =>
  required.find(({ id }) => missing.has(id))?.otherwise();
