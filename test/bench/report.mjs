export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const HEAD = ['figure', 'ratio', 'goal', '', 'requests/s', 'against', 'spread of rounds'];

/** The table of results, one line for each figure. */
export function report(results) {
  const lines = [HEAD, ...results.map(lineOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column], column))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function lineOf({ figure: { title, atLeast, atMost }, ratio, spread, rates }) {
  const reached = atMost === undefined ? ratio >= atLeast : ratio <= atMost;
  return [
    title,
    ratio.toFixed(2),
    atMost === undefined ? `>= ${atLeast}` : `<= ${atMost}`,
    reached ? 'ok' : 'short',
    ...rates.map((rate) => Math.round(rate).toLocaleString('en')),
    spread.map((bound) => bound.toFixed(2)).join(' - '),
  ];
}

/** Words to the left, numbers to the right. */
const pad = (cell, width, column) =>
  ['figure', '', 'spread of rounds'].includes(HEAD[column]) ? cell.padEnd(width) : cell.padStart(width);
