/** Choices that a seed determines, so that a demo is the same every time. */
export interface Random {
  /** Between the two, both included. */
  integer(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True with this likelihood, from 0 to 1. */
  chance(likelihood: number): boolean;
  /** The items in another order. */
  shuffle<Item>(items: readonly Item[]): Item[];
}

/** A generator of numbers from 0 up to 1, determined by the seed (mulberry32). */
export function fractionsFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same choices for the same seed. */
export function randomFrom(seed: number): Random {
  const fraction = fractionsFrom(seed);
  const integer = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));
  return {
    integer,
    pick: (items) => items[integer(0, items.length - 1)]!,
    chance: (likelihood) => fraction() < likelihood,
    shuffle(items) {
      const left = [...items];
      return items.map(() => left.splice(integer(0, left.length - 1), 1)[0]!);
    },
  };
}
