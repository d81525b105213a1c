import type { CustomValues } from '#kernel/custom-values.js';
import { UnknownNames } from '#kernel/known.js';
import { type FieldProblem, invalid } from '#http/problems/problem.js';
import type { Condition } from '#http/paging/list.js';
import { type CustomField, NOT_DEFINED } from './custom-field.js';

/** The values that texts of a query stand for. Throws 400 naming each that is no value of its field. */
export function customFilter(definitions: CustomField[], texts: Record<string, string>): CustomValues {
  const problems: FieldProblem[] = [];
  const unknown = new UnknownNames(NOT_DEFINED);
  const keys = definitions.map(({ key }) => key);
  const values = Object.entries(texts).map(([key, text]) => {
    const definition = definitions.find((one) => one.key === key);
    const value = definition && valueOf(definition, text);
    const detail = definition ? `must be a ${definition.type}` : unknown.detail(keys);
    if (value === undefined) problems.push({ field: `custom_fields[${key}]`, detail });
    return [key, value];
  });
  if (problems.length > 0) throw invalid(problems);
  return Object.fromEntries(values) as CustomValues;
}

function valueOf({ type }: CustomField, text: string): unknown {
  switch (type) {
    case 'number':
      return text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'string':
    case 'enum':
      return text;
  }
}

/** The condition that a record's custom values are among these; served by an index of the records that have any. */
export const hasValues = (values: CustomValues | undefined): Condition => [
  "custom_fields <> '{}' AND custom_fields @> (?)::jsonb",
  values && JSON.stringify(values),
];
