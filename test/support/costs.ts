const took = (work: () => unknown): number => {
  const began = performance.now();
  work();
  return performance.now() - began;
};

/** How many times as long one work takes as another: the same on a slow machine as on a fast one. */
export const timesAsLong = (work: () => unknown, other: () => unknown): number => took(work) / took(other);
