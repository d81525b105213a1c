import type { CustomValues } from '#kernel/custom-values.js';
import { isCalendarDate } from '#kernel/instant.js';
import { UnknownNames } from '#kernel/known.js';
import { isBlank } from '#kernel/unseen.js';

export const CUSTOM_FIELD_RECORDS = ['sales', 'contacts', 'companies'] as const;
export const CUSTOM_FIELD_TYPES = ['string', 'number', 'boolean', 'enum'] as const;
export const UI_TYPES = ['text', 'number', 'boolean', 'enum', 'date', 'address', 'paragraph'] as const;

export type CustomFieldRecord = (typeof CUSTOM_FIELD_RECORDS)[number];
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number];

/** Definition of one custom field, as the contract shows it. */
export interface CustomField {
  key: string;
  label: string;
  type: CustomFieldType;
  ui_type: string | null;
  options: string[] | null;
  default: unknown;
}

/** What is wrong with a value that no custom field is defined for. */
export const NOT_DEFINED = 'is not a custom field of this organization';

/** The longest value of type string, in characters (code points). */
const LONGEST = 1_000;

/**
 * The key of a field: the label lower-cased, each run of characters other than ASCII letters and digits one underscore,
 * edges trimmed, `field` when nothing is left, `_2`, `_3`, … appended while it is taken (contract, Custom fields).
 */
export function keyFor(label: string, taken: ReadonlySet<string>): string {
  const base =
    label
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, '') || 'field';
  let key = base;
  for (let number = 2; taken.has(key); number++) key = `${base}_${number}`;
  return key;
}

/**
 * What is wrong with the options of an enum, or null. People must be able to tell them apart: options that differ only in
 * how they are composed (NFC) or in blanks around them are one. Case may tell two apart.
 */
export function problemOfOptions(options: string[]): string | null {
  if (options.length === 0) return 'must hold at least one value for type enum';
  if (options.some(isBlank)) return 'must not hold a blank value';
  const shown = options.map((option) => option.normalize('NFC').trim());
  const twice = shown.find((option, index) => shown.indexOf(option) < index);
  return twice === undefined ? null : `must not hold a value twice: ${twice}`;
}

/** The values that their definitions do not allow, by field, each with what is wrong. */
export function wrongValues(
  definitions: CustomField[],
  values: CustomValues,
): { field: string; detail: string }[] {
  const unknown = new UnknownNames(NOT_DEFINED);
  const keys = definitions.map(({ key }) => key);
  return Object.entries(values).flatMap(([key, value]) => {
    const definition = definitions.find((one) => one.key === key);
    const detail = definition ? problemOf(definition, value) : unknown.detail(keys);
    return detail === null ? [] : [{ field: `custom_fields.${key}`, detail }];
  });
}

/** What is wrong with a value, or null. null itself is always allowed: it leaves the field blank. */
export function problemOf({ type, ui_type, options }: CustomField, value: unknown): string | null {
  if (value === null) return null;
  if (type === 'enum')
    return typeof value === 'string' && options?.includes(value)
      ? null
      : `must be one of its options: ${options?.join(', ')}`;
  if (typeof value !== type) return `must be a ${type}`;
  if (typeof value === 'string' && [...value].length > LONGEST)
    return `must be at most ${LONGEST} characters long`;
  if (ui_type === 'date' && !isDate(value)) return 'must be a calendar date written YYYY-MM-DD';
  return null;
}

function isDate(value: unknown): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(String(value)) ?? [];
  return Number(year) > 0 && isCalendarDate(Number(year), Number(month), Number(day));
}

/** The values of a new record: the given ones, and defaults for fields left out; an explicit null stays. */
export function withDefaults(definitions: CustomField[], values: CustomValues): CustomValues {
  const filled = { ...values };
  for (const { key, default: value } of definitions)
    if (!Object.hasOwn(filled, key) && value !== null) filled[key] = value;
  return filled;
}
