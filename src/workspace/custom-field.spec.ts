import { type CustomField, keyFor, problemOfOptions, withDefaults, wrongValues } from './custom-field.js';

const field = (fields: Partial<CustomField>): CustomField => ({
  key: 'field',
  label: 'Field',
  type: 'string',
  ui_type: null,
  options: null,
  default: null,
  ...fields,
});

describe('the key of a custom field', () => {
  it.each([
    ['Contract end', 'contract_end'],
    ['  --Net  revenue (EUR)!! ', 'net_revenue_eur'],
    ['Größe', 'gr_e'],
    ['日本', 'field'],
    ['2nd choice', '2nd_choice'],
  ])('of %p is %p', (label, key) => expect(keyFor(label, new Set())).toBe(key));

  it('gets a number when it is taken', () => {
    expect(keyFor('Size', new Set(['size']))).toBe('size_2');
    expect(keyFor('Size', new Set(['size', 'size_2']))).toBe('size_3');
  });
});

describe('the options of an enum', () => {
  it.each([
    [['North', 'South']],
    [['north', 'North']],
    [['1', '1.0', '01']],
    [['A', 'A B']],
    [['É', 'E', 'e\u0301']],
    [['Ⅳ', 'IV', 'ＩＶ']],
    [[' North']],
    [['👨‍👩‍👧', '👨']],
  ])('may be %j', (options) => expect(problemOfOptions(options)).toBeNull());

  it.each([
    ['missing', []],
    ['blank', ['']],
    ['blank', ['North', ' ']],
    ['blank', ['\u3000\u200b\ufeff']],
    ['blank', ['\u3164']],
    ['blank', ['\u0001']],
    ['there twice', ['North', 'South', 'North']],
    ['there twice, composed in two ways', ['\u00e9', 'e\u0301']],
    ['there twice, composed in two ways', ['\u1100\u1161', '가']],
    ['there twice, composed in two ways', ['Å', '\u212b']],
    ['there twice, one with blanks around it', ['North', ' North']],
    ['there twice, one with blanks around it', ['North\u00a0', 'North']],
  ])('may not be %s: %j', (_, options) => expect(problemOfOptions(options)).not.toBeNull());
});

describe('custom values', () => {
  const fails = (definition: CustomField, value: unknown) => {
    expect(wrongValues([definition], { field: value })).toHaveLength(1);
  };
  const passes = (definition: CustomField, value: unknown) => {
    expect(wrongValues([definition], { field: value })).toEqual([]);
  };

  it('are refused by name, each that is unknown or wrong', () =>
    expect(
      wrongValues([field({ key: 'a' }), field({ key: 'b' })], { nope: 1, a: 1, b: 'x', none: null }),
    ).toEqual([
      { field: 'custom_fields.nope', detail: 'is not a custom field of this organization; known are a, b' },
      { field: 'custom_fields.a', detail: 'must be a string' },
      { field: 'custom_fields.none', detail: 'is not a custom field of this organization; known are a, b' },
    ]));

  it.each([
    ['string', 'x', 1],
    ['number', 1.5, '1.5'],
    ['boolean', false, 'false'],
  ] as const)('of type %s takes %p and not %p', (type, good, bad) => {
    passes(field({ type }), good);
    fails(field({ type }), bad);
  });

  it('of type enum takes one of its options', () => {
    passes(field({ type: 'enum', options: ['a', 'b'] }), 'b');
    fails(field({ type: 'enum', options: ['a', 'b'] }), 'c');
    fails(field({ type: 'enum', options: ['1'] }), 1);
  });

  it('shown as date takes a zero-padded calendar date', () => {
    passes(field({ ui_type: 'date' }), '2024-02-29');
    for (const bad of ['0000-01-01', '2025-02-29', '2025-1-1', '2025-01-01T00:00:00Z', '01.02.2025'])
      fails(field({ ui_type: 'date' }), bad);
  });

  it('of type string are at most 1,000 characters long, however many bytes', () => {
    passes(field({}), '😀'.repeat(1_000));
    fails(field({}), 'x'.repeat(1_001));
  });

  it('takes null for any field', () => {
    for (const type of ['string', 'number', 'boolean', 'enum'] as const)
      passes(field({ type, options: ['a'] }), null);
  });

  it('gets the default when the key is absent, and an explicit null stays', () => {
    const definitions = [
      field({ key: 'a', default: 'x' }),
      field({ key: 'b', default: 'y' }),
      field({ key: 'c' }),
    ];
    expect(withDefaults(definitions, { b: null })).toEqual({ a: 'x', b: null });
  });
});
