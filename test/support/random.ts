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

/** A generator of its own for each seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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
