import { isId } from '#kernel/id.js';

/** A record of the organization that an append refers to, and the error to throw when it is missing. */
export interface Required {
  id: string;
  otherwise: () => Error;
}

const NOBODYS_ID = '';

/**
 * The append finds out whether the record exists. A malformed id, or one of another kind, counts as missing, too: its error
 * comes no earlier, so other faults are reported first in both cases.
 */
export const required = (kind: string, id: string, otherwise: () => Error): Required => ({
  id: isId(kind, id) ? id : NOBODYS_ID,
  otherwise,
});

/** The error for the first of these that is missing. */
export const errorOfMissing = (required: Required[], missing: Set<string>): Error | undefined =>
  required.find(({ id }) => missing.has(id))?.otherwise();
