/**
 * The named fields of a value, in this order; one that it lacks is left out. PostgreSQL's jsonb orders fields by length, so
 * what was stored in it has lost the order of the contract.
 */
export function inOrder<Value extends object, Field extends keyof Value>(
  value: Value,
  fields: readonly Field[],
): Pick<Value, Field> {
  const ordered: Partial<Pick<Value, Field>> = {};
  for (const field of fields) if (value[field] !== undefined) ordered[field] = value[field];
  return ordered as Pick<Value, Field>;
}
