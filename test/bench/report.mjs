import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { page } from './page.mjs';

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const HEAD = [
  'figure',
  'ratio',
  'goal',
  '',
  'requests/s',
  'against',
  'CPU µs',
  'against',
  'p50 ms',
  'p99 ms',
  'spread of rounds',
];

/** The table of results, one line for each figure. */
export function table(results) {
  return aligned([HEAD, ...results.map(lineOf)]);
}

/** Lines of cells as text, of which the first has the names of the columns. */
export function aligned(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const cells = (line) => line.map((cell, column) => pad(cell, widths[column], lines[0][column]));
  return lines.map((line) => cells(line).join('  ').trimEnd()).join('\n');
}

/** Whether a result reaches its goal. */
const isReached = ({ figure: { atLeast, atMost }, ratio }) =>
  atMost === undefined ? ratio >= atLeast : ratio <= atMost;

const goalOf = ({ figure: { atLeast, atMost } }) => (atMost === undefined ? `>= ${atLeast}` : `<= ${atMost}`);

function lineOf(result) {
  const { figure, ratio, spread, rates, cpu, p50, p99 } = result;
  const whole = (value) => Math.round(value).toLocaleString('en');
  return [
    figure.title,
    ratio.toFixed(2),
    goalOf(result),
    isReached(result) ? 'ok' : 'short',
    ...rates.map(whole),
    ...(cpu ? cpu.map(whole) : ['', '']),
    p50 ? String(p50[0]) : '',
    p99 ? String(p99[0]) : '',
    spread.map((bound) => bound.toFixed(2)).join(' - '),
  ];
}

/** Words to the left, numbers to the right. */
const pad = (cell, width, name) =>
  ['figure', 'with', '', 'spread of rounds'].includes(name) ? cell.padEnd(width) : cell.padStart(width);

/** Writes the results as `bench.json` and `bench.html` and gives their paths. */
export function save(directory, results) {
  mkdirSync(directory, { recursive: true });
  const [json, html] = ['bench.json', 'bench.html'].map((name) => join(directory, name));
  const figures = results.map((result) => {
    const { title, name = title } = result.figure;
    const { ratio, spread, rates, cpu, p50, p99 } = result;
    return {
      name,
      title,
      goal: goalOf(result),
      reached: isReached(result),
      ratio,
      spread,
      rates,
      cpu,
      p50,
      p99,
    };
  });
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model };
  writeFileSync(json, JSON.stringify({ at: new Date().toISOString(), machine, figures }, null, 2) + '\n');
  writeFileSync(html, page(machine, figures));
  return [json, html];
}
