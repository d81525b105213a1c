import { piecesOf, roughSize } from './size.js';

it('counts about as many characters as the text of a value has', () => {
  const value = { name: 'Grace', tags: ['a', 'bc'], age: 7, none: null, nested: { text: 'x'.repeat(1_000) } };
  const { length } = JSON.stringify(value);
  expect(roughSize(value)).toBeGreaterThan(length * 0.8);
  expect(roughSize(value)).toBeLessThan(length * 1.2);
});

it('cuts items into pieces of a size, and leaves none out', () => {
  expect([...piecesOf(['aa', 'b', 'ccccc', 'd', 'e', 'ff'], 3)]).toEqual([
    ['aa', 'b'],
    ['ccccc'],
    ['d', 'e'],
    ['ff'],
  ]);
  expect([...piecesOf([], 3)]).toEqual([]);
});
