import fc from 'fast-check';
import { partsOf, wordsOf } from './words.js';

const words = (text: string) => wordsOf(text).map(({ word }) => word);
const HALF = Object.fromEntries(
  Array.from({ length: 0xff9f - 0xff66 + 1 }, (_, nr) => String.fromCharCode(0xff66 + nr)).map((half) => [
    half.normalize('NFKC'),
    half,
  ]),
);
/** As half-width kana, each mark behind its kana. */
const halved = (text: string) =>
  Array.from(text.normalize('NFD'), (one) => HALF[one] ?? one)
    .join('')
    .replace(/\u3099/g, 'ﾞ')
    .replace(/\u309a/g, 'ﾟ');

describe('the words of a text', () => {
  it.each([
    ['ガイド', ['ガイ', 'イド', 'ド']],
    ['ｶﾞｲﾄﾞ', ['ガイ', 'イド', 'ド']],
    ['カ\u3099イト\u3099', ['ガイ', 'イド', 'ド']],
    ['ﾊﾟｰﾃｨｰ', ['パー', 'ーテ', 'ティ', 'ィー', 'ー']],
    ['ที่', ['ที', 'ี่', '่']],
    ['ســـلام عليكم', ['سلام', 'عليكم']],
    ['مُحَمَّد', ['محمد']],
    ['ـ', []],
  ])('%s are those that it has without marks and width: %j', (text, expected) =>
    expect(words(text)).toEqual(expected),
  );

  it('are the same in every form of kana', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'アカガハバパワーッャンヴ 1a') }), (text) => {
        expect(words(halved(text))).toEqual(words(text));
        expect(words(text.normalize('NFD'))).toEqual(words(text));
      }),
    ));

  it('lie where they are in the text', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('ｶ', 'ﾞ', 'カ', '\u3099', 'ا', 'ُ', 'ـ', 'x', ' ', '😀') }),
        (text) => {
          for (const { word, start, end } of wordsOf(text))
            expect(words(text.slice(start, end))[0]).toBe(word);
        },
      ),
    ));

  it('are the same when it is cut in parts', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('ｶ', 'ﾞ', '漢', '\u0301', 'x', ' ', '-', '😀', '𐐷', '\ud801') }),
        fc.integer({ min: 1, max: 5 }),
        (text, length) => {
          const parts = [...partsOf(text, length)];
          expect(parts.join('')).toBe(text);
          expect(parts.flatMap(words)).toEqual(words(text));
        },
      ),
    ));
});
