import { type Measured, quantile } from './prometheus.js';

/** What one look at the metrics of a process has found: counters since its start, and how things stand. */
export interface Look {
  /** Milliseconds since 1970. */
  at: number;
  /** When the process started: another one has counters of its own. */
  process: number;
  requests: number;
  errors: number;
  seconds: number;
  counts: Map<number, number>;
  cpu: number;
  standing: Partial<Record<Standing, number>>;
}

const STANDING = {
  memory: 'process_resident_memory_bytes',
  used: ['parley_pool_connections', 'state', 'used'],
  awaited: ['parley_pool_connections', 'state', 'awaited'],
  deliveries: ['parley_deliveries', 'status', 'queued', 'sending', 'retrying'],
  stuck: ['parley_deliveries', 'status', 'failed', 'uncertain'],
  due: 'parley_delivery_oldest_due_seconds',
  webhooks: ['parley_webhook_deliveries', 'status', 'pending', 'retrying'],
  lag: 'parley_projection_lag_seconds',
  workers: 'parley_workers',
} as const;
type Standing = keyof typeof STANDING;

const DURATION = 'parley_http_request_duration_seconds';
/** Whoever only looks at the metrics should not see these looks. */
const ASKED_BY_MONITORS = /^\/(metrics|health)/;

export function lookOf(measured: Measured[], at: number): Look {
  const look: Look = {
    at,
    process: 0,
    requests: 0,
    errors: 0,
    seconds: 0,
    counts: new Map(),
    cpu: 0,
    standing: {},
  };
  for (const { name, labels, value } of measured) {
    if (name === 'process_start_time_seconds') look.process = value;
    if (name === 'process_cpu_seconds_total') look.cpu = value;
    if (name.startsWith(DURATION) && !ASKED_BY_MONITORS.test(labels['route'] ?? ''))
      count(look, name.slice(DURATION.length), labels, value);
  }
  // While the database is away, what is in it is not nought but unknown.
  const isAnswering = measured.some(({ name }) => name === 'parley_events');
  for (const [name, source] of Object.entries(STANDING)) {
    const values = valuesOf(measured, source, isAnswering);
    if (values.length > 0)
      look.standing[name as Standing] = name === 'lag' ? Math.max(...values) : sum(values);
  }
  return look;
}

function count(look: Look, what: string, labels: Record<string, string>, value: number): void {
  if (what === '_sum') look.seconds += value;
  if (what === '_count') {
    look.requests += value;
    if (labels['status']?.startsWith('5')) look.errors += value;
  }
  if (what === '_bucket') {
    const upTo = labels['le'] === '+Inf' ? Infinity : Number(labels['le']);
    look.counts.set(upTo, (look.counts.get(upTo) ?? 0) + value);
  }
}

/** The values of a metric: all of them, or those with one of these labels. */
function valuesOf(measured: Measured[], source: string | readonly string[], isAnswering: boolean): number[] {
  if (typeof source === 'string')
    return measured.filter(({ name }) => name === source).map(({ value }) => value);
  const [of, label, ...wanted] = source;
  const some = measured.filter(({ name, labels }) => name === of && wanted.includes(labels[label!] ?? ''));
  // A state in which nothing is has no line.
  return [...(isAnswering ? [0] : []), ...some.map(({ value }) => value)];
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

export const FIGURES = [
  'requests',
  'errors',
  'p95',
  'mean',
  'cpu',
  'memory',
  'used',
  'awaited',
  'deliveries',
  'stuck',
  'due',
  'webhooks',
  'lag',
  'workers',
] as const;
export type Figure = (typeof FIGURES)[number];

/** Null for what cannot be told: there was no look before, or no request. */
export type Figures = Record<Figure, number | null>;

/** Figures of the time between two looks at the same process. */
export function figuresOf(look: Look, before: Look | undefined): Figures {
  const seconds = before ? (look.at - before.at) / 1_000 : 0;
  const rate = (of: 'requests' | 'errors' | 'cpu') =>
    before && seconds > 0 ? (look[of] - before[of]) / seconds : null;
  const requests = before ? look.requests - before.requests : 0;
  const counts = [...look.counts].map(([upTo, value]): [number, number] => [
    upTo,
    value - (before?.counts.get(upTo) ?? 0),
  ]);
  const standing = Object.fromEntries(
    Object.keys(STANDING).map((name) => [name, look.standing[name as Standing] ?? null]),
  ) as Record<Standing, number | null>;
  return {
    ...standing,
    requests: rate('requests'),
    errors: rate('errors'),
    cpu: rate('cpu'),
    p95: requests > 0 ? quantile(0.95, counts) : null,
    mean: requests > 0 ? (look.seconds - before!.seconds) / requests : null,
  };
}
