/**
 * A span's description. `parent` is a traceparent (W3C Trace Context); null begins a trace; left out, the current span is
 * the parent.
 */
export interface SpanOptions {
  kind?: 'internal' | 'client' | 'consumer';
  attributes?: Record<string, string | number>;
  parent?: string | null;
}

/** Records how long work takes, and as part of what. */
export interface Tracer {
  span<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result>;
  /** The current span as a traceparent; null outside of spans. */
  traceparent(): string | null;
}

let tracer: Tracer | null = null;

/** Turns the recording of spans on. */
export function recordSpans(by: Tracer): void {
  tracer = by;
}

/** Runs `work`, in a span if spans are recorded. */
export const traced = <Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> => (tracer ? tracer.span(name, options, work) : work());

/** Runs `work` in a span below `parent`, which is looked up only if spans are recorded. */
export async function tracedAfter<Result>(
  name: string,
  options: SpanOptions,
  parent: () => Promise<string | null>,
  work: () => Promise<Result>,
): Promise<Result> {
  return tracer ? tracer.span(name, { ...options, parent: await parent() }, work) : work();
}

export const currentTraceparent = (): string | null => tracer?.traceparent() ?? null;
