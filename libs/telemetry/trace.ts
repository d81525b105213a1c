/** What a span is about. `parent` is a traceparent (W3C Trace Context); null begins a trace, absent goes on with the present one. */
export interface SpanOptions {
  kind?: 'internal' | 'client' | 'consumer';
  attributes?: Record<string, string | number>;
  parent?: string | null;
}

/** Records how long things take and what they are part of. */
export interface Tracer {
  span<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result>;
  /** The present span as a traceparent; null outside of any. */
  traceparent(): string | null;
}

let tracer: Tracer | null = null;

/** From here on spans are recorded. */
export function recordSpans(by: Tracer): void {
  tracer = by;
}

/** Runs `work` in a span where spans are recorded, else just runs it. */
export const traced = <Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> => (tracer ? tracer.span(name, options, work) : work());

/** Runs `work` in a span that begins where `parent` leads, which is looked up only where spans are recorded. */
export async function tracedAfter<Result>(
  name: string,
  options: SpanOptions,
  parent: () => Promise<string | null>,
  work: () => Promise<Result>,
): Promise<Result> {
  return tracer ? tracer.span(name, { ...options, parent: await parent() }, work) : work();
}

export const currentTraceparent = (): string | null => tracer?.traceparent() ?? null;
