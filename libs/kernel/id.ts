import { typeid } from 'typeid-js';

/** A new TypeID: `<kind>_` and a UUIDv7 in base32, so that ids of one process sort by creation. */
export const newId = (kind: string): string => typeid(kind).toString();

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether `value` is a well-formed TypeID of this kind; whether it exists is another question. */
export function isId(kind: string, value: unknown): value is string {
  return (
    typeof value === 'string' && value.startsWith(`${kind}_`) && SUFFIX.test(value.slice(kind.length + 1))
  );
}

/** The id of another kind from the same UUID, for records of which each source record has exactly one. */
export const sameIdAs = (kind: string, id: string): string => `${kind}_${id.slice(id.lastIndexOf('_') + 1)}`;
