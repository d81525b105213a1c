/** By how many characters that are put in, left out or replaced two texts differ (Levenshtein). */
export function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [nr, character] of [...one].entries()) {
    const next = [nr + 1];
    for (let at = 0; at < other.length; at++)
      next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + (other[at] === character ? 0 : 1)));
    row = next;
  }
  return row[other.length]!;
}
