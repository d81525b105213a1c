import { sameValue } from './same.js';

/** Values of custom fields, keyed by field key. */
export type CustomValues = Record<string, unknown>;

/** The values after a change: given keys replace, the rest stays; null clears all. */
export const mergeCustomValues = (existing: CustomValues, change: CustomValues | null): CustomValues =>
  change === null ? {} : { ...existing, ...change };

/** The values with those of another where they have none. */
export const filledCustomValues = (own: CustomValues, other: CustomValues): CustomValues => ({
  ...other,
  ...Object.fromEntries(Object.entries(own).filter(([key, value]) => value !== null || !(key in other))),
});

/** Whether the change makes a difference. */
export const changesCustomValues = (existing: CustomValues, change: CustomValues | null): boolean =>
  !sameValue(mergeCustomValues(existing, change), existing);
