import type { CrmRecord } from '../data/records.js';
import type { Field } from './kind.js';
import { mergedFields } from './merged-fields.js';

const FIELDS: Field[] = [
  { name: 'name', label: 'Name', type: 'text' },
  { name: 'external_id', label: 'Id', type: 'text' },
  { name: 'plan', label: 'Plan', type: 'text', isCustom: true },
];

const record = (name: string, external_id: string | null, plan: string | null): CrmRecord => ({
  name,
  external_id,
  custom_fields: { plan },
  created_at: '2026-01-01T00:00:00.000Z',
  metadata: {},
  tags: [],
});
const told = (stays: CrmRecord, ends: CrmRecord) =>
  mergedFields(stays, ends, FIELDS).map(({ field, kept, isLost }) => [field.name, kept, isLost]);

describe('After a merger', () => {
  it('the record that stays keeps its own values', () =>
    expect(told(record('Ada', 'a', 'gold'), record('Ada L.', 'a', null))).toEqual([
      ['name', 0, true],
      ['external_id', 0, false],
      ['plan', 0, false],
    ]));

  it('it has those of the other that it lacked', () =>
    expect(told(record('', null, null), record('Ada', 'a', 'gold'))).toEqual([
      ['name', 1, false],
      ['external_id', 1, false],
      ['plan', 1, false],
    ]));

  it('what neither has is not spoken of', () =>
    expect(told(record('Ada', null, null), record('Ada', null, null))).toEqual([['name', 0, false]]));
});
