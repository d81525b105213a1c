import type { CrmRecord } from '../data/records.js';
import { changed, changeOf, customField, textOf, typedValue, valueIn } from './kind.js';

const record: CrmRecord = {
  name: 'Contoso',
  created_at: '2026-01-01T00:00:00.000Z',
  custom_fields: { plan: 'A', seats: 2 },
  external_id: null,
  metadata: {},
  tags: [],
};
const defined = (type: 'string' | 'number' | 'boolean' | 'enum', ui_type: string | null = null) =>
  customField({ key: 'plan', label: 'Plan', type, ui_type, options: ['A', 'B'] });

describe('A field of a record', () => {
  it('is found among its own and among the custom ones', () => {
    expect(valueIn(record, { name: 'name', label: 'Name', type: 'text' })).toBe('Contoso');
    expect(valueIn(record, defined('enum'))).toBe('A');
  });

  it('changes alone, also among the custom ones', () => {
    const change = changeOf(defined('enum'), 'B');
    expect(change).toEqual({ custom_fields: { plan: 'B' } });
    expect(changed(record, change).custom_fields).toEqual({ plan: 'B', seats: 2 });
    expect(changed(record, { name: 'Navy' })).toEqual({ ...record, name: 'Navy' });
  });

  it('is typed in the way that its definition asks for', () => {
    expect(defined('string').type).toBe('text');
    expect(defined('string', 'paragraph').type).toBe('lines');
    expect(defined('string', 'date').type).toBe('date');
    expect(defined('enum')).toMatchObject({ type: 'enum', options: ['A', 'B'] });
  });

  it('is sent as its type, and as null when it is emptied', () => {
    expect(typedValue(defined('number'), '2.5')).toBe(2.5);
    expect(typedValue(defined('boolean'), 'false')).toBe(false);
    expect(typedValue(defined('string'), ' B ')).toBe('B');
    expect(typedValue(defined('string'), ' ')).toBeNull();
  });

  it('leaves what is no number for the API to refuse', () =>
    expect(typedValue(defined('number'), 'many')).toBe('many'));

  it('is shown as text to be changed', () => {
    expect([null, undefined, 0, false, 'A', ['A']].map(textOf)).toEqual(['', '', '0', 'false', 'A', '["A"]']);
  });
});
