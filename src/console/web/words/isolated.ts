/** Letters from right to left, and characters that turn what follows. */
const TURNS =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const ENDS = /[\u2066-\u2069]/g;

/** A name within a sentence, whose direction is its own and turns nothing around it; styles do so for elements. */
export const isolated = (name: string): string =>
  TURNS.test(name) ? `\u2068${name.replaceAll(ENDS, '')}\u2069` : name;

/** What there is of these, as one line. */
export const listed = (names: (string | null | undefined | false)[], between = ', '): string =>
  names
    .filter((name) => typeof name === 'string' && name !== '')
    .map((name) => isolated(name as string))
    .join(between);

/** Words whose sentences isolate each name that they are given. */
export function isolating<Given>(words: Given): Given {
  if (typeof words === 'function')
    return ((...given: unknown[]) =>
      (words as unknown as (...given: unknown[]) => unknown)(
        ...given.map((one) => (typeof one === 'string' ? isolated(one) : one)),
      )) as Given;
  if (typeof words !== 'object' || words === null || Array.isArray(words)) return words;
  return Object.fromEntries(Object.entries(words).map(([name, one]) => [name, isolating(one)])) as Given;
}
