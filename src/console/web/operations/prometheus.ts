/** One value of Prometheus' text format. */
export interface Measured {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const LABEL = /(?:^|,)(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reads the text format, version 0.0.4; what is no value is passed over. */
export function measuredIn(text: string): Measured[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    return [{ name, labels: labelsIn(labels), value: numberOf(value) }];
  });
}

const labelsIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(LABEL)].map(([, name, value]) => [name!, unescaped(value!)]));

const unescaped = (value: string): string =>
  value.replaceAll(/\\(.)/g, (_whole, letter: string) => (letter === 'n' ? '\n' : letter));

const numberOf = (text: string): number =>
  /^[+-]?Inf$/.test(text) ? (text.startsWith('-') ? -Infinity : Infinity) : Number(text);

/**
 * The value below which this part of what a histogram has counted lies, by its cumulative counts up to upper bounds: evenly spread
 * within a bucket, as Prometheus' `histogram_quantile` takes it. Null where nothing was counted.
 */
export function quantile(part: number, counts: [upTo: number, count: number][]): number | null {
  const sorted = counts.toSorted(([one], [other]) => one - other);
  const all = sorted.at(-1)?.[1] ?? 0;
  if (all <= 0) return null;
  const at = sorted.findIndex(([, count]) => count >= part * all);
  const [from, below] = sorted[at - 1] ?? [0, 0];
  const [upTo, count] = sorted[at]!;
  // Of what is beyond the last bound nothing else is known.
  if (upTo === Infinity) return from;
  return from + ((upTo - from) * (part * all - below)) / (count - below);
}
