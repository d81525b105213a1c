import { canonicalJson } from './canonical-json.js';

it('is the same whatever the order of fields, at every level', () => {
  const one = { b: [{ y: 1, x: null }], a: 'text' };
  const other = { a: 'text', b: [{ x: null, y: 1 }] };
  expect(canonicalJson(one)).toBe(canonicalJson(other));
  expect(JSON.parse(canonicalJson(one))).toEqual(one);
});

it.each([
  [
    [1, 2],
    [2, 1],
  ],
  [{ a: 1 }, { a: '1' }],
  [{ a: null }, {}],
  [{ a: { b: 1 } }, { 'a.b': 1 }],
  [['a,b'], ['a', 'b']],
  [null, []],
])('tells %j from %j', (one, other) => {
  expect(canonicalJson(one)).not.toBe(canonicalJson(other));
});

it('takes any depth', () => {
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
  expect(canonicalJson(deep).length).toBeLessThan(1_000);
});
