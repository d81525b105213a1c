/**
 * The named fields of a value, in this order; one that it lacks is as in `otherwise`, or left out. PostgreSQL's jsonb orders
 * fields by length, so what was stored in it has lost the order of the contract. Not `{ ...otherwise, ...value }`: for 50
 * events that takes 200 µs in place of 15.
 */
export function inOrder<
  Value extends object,
  Otherwise extends object,
  Field extends keyof (Otherwise & Value),
>(value: Value, fields: readonly Field[], otherwise?: Otherwise): Pick<Otherwise & Value, Field> {
  const ordered: Partial<Pick<Otherwise & Value, Field>> = {};
  for (const field of fields) {
    const own = (value as Otherwise & Value)[field];
    const shown = own === undefined ? (otherwise as (Otherwise & Value) | undefined)?.[field] : own;
    if (shown !== undefined) ordered[field] = shown;
  }
  return ordered as Pick<Otherwise & Value, Field>;
}
