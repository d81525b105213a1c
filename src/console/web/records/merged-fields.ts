import type { CrmRecord } from '../data/records.js';
import { type Field, textOf, valueIn } from './kind.js';

export interface MergedField {
  field: Field;
  /** Of the record that stays, and of the one that ends. */
  values: [stays: unknown, ends: unknown];
  /** Which of the two there is afterwards. */
  kept: 0 | 1;
  /** Whether a value is shown no more. */
  isLost: boolean;
}

/** What is there after a merger, field by field: the record that stays keeps what it has, and takes what it lacks. */
export function mergedFields<R extends CrmRecord>(stays: R, ends: R, fields: Field[]): MergedField[] {
  return fields.flatMap((field) => {
    const values: [unknown, unknown] = [valueIn(stays, field), valueIn(ends, field)];
    const [own, other] = values.map(textOf) as [string, string];
    if (own === '' && other === '') return [];
    return [
      {
        field,
        values,
        kept: own === '' ? 1 : 0,
        isLost: own !== '' && other !== '' && own !== other,
      } as const,
    ];
  });
}
