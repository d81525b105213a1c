import { apart, linesOf } from './lines.js';

describe('A change of a field is told', () => {
  it('as its two values', () =>
    expect(linesOf({ field: 'name', from: 'Ada', to: null })).toEqual([
      { path: ['name'], from: 'Ada', to: null },
    ]));

  it('by the keys of an object that differ, at any depth', () =>
    expect(
      linesOf({
        field: 'quote_details',
        from: { output: { currency: 'EUR', total_price: '10.00' } },
        to: { output: { currency: 'EUR', total_price: '12.00' } },
      }),
    ).toEqual([{ path: ['quote_details', 'output', 'total_price'], from: '10.00', to: '12.00' }]));

  it('by each key of an object that is new', () =>
    expect(linesOf({ field: 'custom_fields', from: null, to: { plan: 'A', seats: 2 } })).toEqual([
      { path: ['custom_fields', 'plan'], from: null, to: 'A' },
      { path: ['custom_fields', 'seats'], from: null, to: 2 },
    ]));

  it('as an empty object where it holds nothing', () =>
    expect(linesOf({ field: 'metadata', from: null, to: {} })).toEqual([
      { path: ['metadata'], from: null, to: {} },
    ]));

  it('by the items that a list lost and got', () =>
    expect(linesOf({ field: 'cc_emails', from: ['a', 'b', 'b'], to: ['b', 'c'] })).toEqual([
      { path: ['cc_emails'], removed: ['a', 'b'], added: ['c'], kept: 1 },
    ]));

  it('by items that are objects as a whole', () =>
    expect(linesOf({ field: 'tags', from: null, to: [{ name: 'VIP' }] })).toEqual([
      { path: ['tags'], removed: [], added: [{ name: 'VIP' }], kept: 0 },
    ]));
});

describe('Two texts', () => {
  it('differ in whole words', () =>
    expect(apart('We ship on Monday morning.', 'We ship on Sunday morning.')).toEqual({
      start: 'We ship on ',
      from: 'Monday',
      to: 'Sunday',
      end: ' morning.',
    }));

  it('differ by what one has more', () =>
    expect(apart('a b', 'a b c')).toEqual({ start: 'a b', from: '', to: ' c', end: '' }));

  it('may have nothing in common', () =>
    expect(apart('one', 'two')).toEqual({ start: '', from: 'one', to: 'two', end: '' }));

  it('are not cut where one of them repeats itself', () =>
    expect(apart('aa', 'aaa')).toEqual({ start: '', from: 'aa', to: 'aaa', end: '' }));
});
