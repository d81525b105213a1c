import fc from 'fast-check';
import { beginningOf } from './text.js';

describe('the beginning of a text', () => {
  it('is its first characters, with one blank for any white space', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\u0301', ' ', '\n', '\u00a0', '\ufeff') }),
        fc.integer({ min: 1, max: 10 }),
        (text, most) => {
          const whole = text.trim().replace(/\s+/gu, ' ');
          expect(beginningOf(text, most)).toBe([...whole].slice(0, most).join(''));
        },
      ),
    ));

  it('is that of a word that is longer than any', () =>
    expect(beginningOf(` ${'😀'.repeat(5_000)}`, 1_000)).toBe('😀'.repeat(1_000)));
});
