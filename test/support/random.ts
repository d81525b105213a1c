import { fractionsFrom } from '../../src/demo/random.js';

/** So many random cases for a property of ours with PARLEY_TEST_CASES=all, as `.ci/run` has it; else a quarter of them. */
export const cases = (count: number): number =>
  process.env['PARLEY_TEST_CASES'] === 'all' ? count : Math.ceil(count / 4);

/** Random choices that a seed determines. */
export interface Random {
  /** At least 0, below 1. */
  fraction(): number;
  /** Between the two, both included. */
  integer(least: number, most: number): number;
  chance(probability: number): boolean;
  /** `count` different items in random order. */
  sample<Item>(items: readonly Item[], count: number): Item[];
}

/** The same choices for the same seed. */
export function randomFrom(seed: number): Random {
  const fraction = fractionsFrom(seed);
  const integer = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    sample(items, count) {
      const left = [...items];
      return Array.from(
        { length: Math.min(count, left.length) },
        () => left.splice(integer(0, left.length - 1), 1)[0]!,
      );
    },
  };
}
