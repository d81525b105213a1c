import { isWorthMore, sumOf, timesOf } from './sums.js';

const quoted = (currency: string, total_price: string) => ({
  quote_details: { output: { currency, total_price }, arguments: { products: [] } },
});

describe('the sum of a column', () => {
  it('is exact, by currency, whatever the size of the amounts', () => {
    const sales = [
      quoted('GBP', '0.1'),
      quoted('GBP', '0.2'),
      quoted('EUR', '123456789012345678901234.5678'),
      quoted('EUR', '0.0001'),
      { quote_details: null },
    ];
    expect(sumOf(sales, false)).toEqual({
      count: 5,
      amounts: [
        ['EUR', '123456789012345678901234.5679'],
        ['GBP', '0.30'],
      ],
      isPart: false,
    });
  });

  it.each([
    [3, '7.4525', '22.3575'],
    [40, '0.05', '2.00'],
    [1, '120', '120.00'],
    [2, '0.0001', '0.0002'],
    [7, '0', '0.00'],
  ])('has %d times %s as %s', (quantity, price, expected) => expect(timesOf(quantity, price)).toBe(expected));
});

it('orders sales by their quotes, those without one last', () => {
  expect(isWorthMore(quoted('GBP', '100'), quoted('EUR', '99.99'))).toBe(true);
  expect(isWorthMore(quoted('GBP', '9.5'), quoted('GBP', '10'))).toBe(false);
  expect(isWorthMore(quoted('GBP', '0'), { quote_details: null })).toBe(true);
});
