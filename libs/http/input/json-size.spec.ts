import { requireModestJson } from './json-size.js';
import { Problem } from '../problems/problem.js';

const check = (json: string) => () => requireModestJson(Buffer.from(json));
const filler = `"filler":"${'x'.repeat(20_000)}"`;

describe('JSON that anybody sends', () => {
  it.each([
    [
      'a long text with brackets, commas and quotes in it',
      JSON.stringify({ content: '[{,"\\'.repeat(200_000) }),
    ],
    ['64 levels', `{${filler},"a":${'['.repeat(64)}${']'.repeat(64)}}`],
    [
      '10,000 fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, nr) => [nr, {}]))),
    ],
    ['a small body of any depth', '['.repeat(16_000)],
    ['what is no JSON', 'x'.repeat(20_000)],
  ])('passes: %s', (_, json) => expect(check(json)).not.toThrow());
});

describe('JSON that nobody sends', () => {
  const list = (item: string, items: number) => `[${Array(items).fill(item).join()}]`;
  it.each([
    ['a million brackets', '['.repeat(1_000_000), /nested deeper/],
    [
      'objects within each other',
      `{${filler},"b":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`,
      /nested deeper/,
    ],
    [
      '150,000 fields',
      `{${Array.from({ length: 150_000 }, (_, nr) => `"${nr}":1`).join()}}`,
      /more than 20000/,
    ],
    ['900,000 items', list('1', 900_000), /more than 20000/],
    ['30,000 empty objects', list('{}', 30_000), /more than 20000/],
    [
      'text that is never closed, behind brackets',
      `${'['.repeat(300)}"${'x'.repeat(20_000)}`,
      /nested deeper/,
    ],
  ])('is refused: %s', (_, json, reason) => {
    expect(check(json)).toThrow(Problem);
    expect(check(json)).toThrow(reason);
  });
});
