import fc from 'fast-check';
import { sameValue } from './same.js';

const reversed = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reversed)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, inner]) => [key, reversed(inner)]),
        )
      : value;

describe('sameValue', () => {
  it('does not mind the order of keys', () =>
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(sameValue(value, reversed(value))).toBe(true))));

  it.each([
    [1, '1'],
    [null, {}],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: undefined }, { b: undefined }],
  ])('tells %j from %j', (one, other) => expect(sameValue(one, other)).toBe(false));
});
