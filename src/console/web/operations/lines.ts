export const WIDTH = 240;
export const HEIGHT = 48;
/** Room for the stroke. */
export const EDGE = 2;

/** A path for each run of known values. */
export function linesOf(values: (number | null)[], most: number): string[] {
  const highest = Math.max(...values.map((value) => value ?? 0), Number.MIN_VALUE);
  const lines: string[] = [];
  let line = '';
  values.forEach((value, index) => {
    if (value === null) {
      line = '';
      return;
    }
    const x = round(((most - values.length + index) / Math.max(1, most - 1)) * WIDTH);
    const y = round(HEIGHT - EDGE - (value / highest) * (HEIGHT - 2 * EDGE));
    if (line === '') lines.push('');
    // One value alone is a dot, which a line of no length with round ends is.
    line = line === '' ? `M${x} ${y}h0` : `${line}L${x} ${y}`;
    lines[lines.length - 1] = line;
  });
  return lines;
}

const round = (value: number): number => Math.round(value * 10) / 10;
