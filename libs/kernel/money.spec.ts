import fc from 'fast-check';
import { decimalsOf, inUnits, isAmount, ofUnits, totalOf } from './money.js';

describe('totalOf', () => {
  it.each([
    [
      [
        [1, '0.1'],
        [1, '0.2'],
      ],
      '0.3',
    ],
    [[[3, '19.99']], '59.97'],
    [[[1_000_000, '0.0001']], '100.0000'],
    [[[2, '1200']], '2400'],
    [
      [
        [1, '10.00'],
        [1, '0.005'],
      ],
      '10.005',
    ],
    [[[1, '0']], '0'],
    [[[1, '007.50']], '7.50'],
    [[[3, '9007199254740993.01']], '27021597764222979.03'],
    [[[999_999_999, '999999999999999.9999']], '999999998999999999900000.0001'],
  ] as [[number, string][], string][])('sums %j to %s', (items, total) =>
    expect(totalOf(items.map(([quantity, unit_price]) => ({ quantity, unit_price })))).toBe(total),
  );

  it('is the sum of its parts, counted in ten-thousandths', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ quantity: fc.integer({ min: 1, max: 1e6 }), units: fc.integer({ min: 0, max: 1e9 }) }),
          {
            minLength: 1,
          },
        ),
        (items) => {
          const price = (units: number) =>
            `${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, '0')}`;
          const total = totalOf(items.map(({ quantity, units }) => ({ quantity, unit_price: price(units) })));
          const expected = items.reduce((sum, { quantity, units }) => sum + BigInt(quantity * units), 0n);
          expect(BigInt(total.replace('.', ''))).toBe(expected);
        },
      ),
    ));
});

describe('isAmount', () => {
  it.each(['0', '0.5', '10.0000', '9007199254740993.0001', '9'.repeat(30)])('takes %j', (text) =>
    expect(isAmount(text)).toBe(true),
  );
  it.each(['', '-1', '+1', '1.', '.5', '1.00001', '1e3', '1,000', ' 1', '1\n', '9'.repeat(31), 'NaN', '١'])(
    'refuses %j',
    (value) => expect(isAmount(value)).toBe(false),
  );
  it.each([5, null, undefined, true, ['5'], {}])('refuses %j, which is no text', (value) =>
    expect(isAmount(value)).toBe(false),
  );
});

it('an amount is written from its units as it was', () => {
  for (const amount of ['0', '0.1', '19.90', '1200', '0.0001', '27021597764222979.0300'])
    expect(ofUnits(inUnits(amount), decimalsOf(amount))).toBe(amount);
  expect(ofUnits(12_500n, 7)).toBe('1.2500000');
});
