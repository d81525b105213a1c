import { setTimeout as sleep } from 'node:timers/promises';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { withoutTrailingSlashes } from '#kernel/url.js';
import { traceStatements } from './statements.js';
import { recordSpans, type SpanOptions, type Tracer } from './trace.js';
import { NAME } from '#config/product.js';

// Imported only when traces are wanted: the packages take memory and load slowly.

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };
/** Spans that the collector has not taken in this time when the process ends are lost. */
const FLUSH_MS = 3_000;

export interface Tracing {
  /** Makes a span per request, as a child of the span in its `traceparent`. Call it before other hooks are added. */
  traceRequests: (server: FastifyInstance) => void;
  /** Makes a span per statement that runs within another span. */
  traceConnection: (client: pg.PoolClient) => void;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

/** Sends spans to the OTLP/HTTP collector at `endpoint` (without `/v1/traces`). OTEL_TRACES_SAMPLER sets the sampling. */
export function startTracing(endpoint: string, serviceName: string): Tracing {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${withoutTrailingSlashes(endpoint)}/v1/traces` })),
    ],
  });
  provider.register();
  recordSpans(tracer);
  return {
    traceRequests,
    traceConnection: (client) =>
      traceStatements(client, (name, attributes) =>
        trace.getActiveSpan() ? own().startSpan(name, { kind: SpanKind.CLIENT, attributes }) : null,
      ),
    stop: () =>
      Promise.race([provider.shutdown().catch(() => {}), sleep(FLUSH_MS, undefined, { ref: false })]),
  };
}

const own = () => trace.getTracer(NAME);

const tracer: Tracer = {
  span: (name, { kind = 'internal', attributes, parent }, work) =>
    own().startActiveSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent), async (span) => {
      try {
        return await work();
      } catch (error) {
        fail(span, error as Error);
        throw error;
      } finally {
        span.end();
      }
    }),
  traceparent: () => traceparentOf(trace.getActiveSpan()),
};

function contextOf(parent: SpanOptions['parent']) {
  if (parent === undefined) return context.active();
  return parent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: parent });
}

function traceparentOf(span: Span | undefined): string | null {
  if (!span) return null;
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function fail(span: Span, error: Error): void {
  span.recordException(error);
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
}

function traceRequests(server: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  const within = (request: FastifyRequest, done: () => void) =>
    context.with(trace.setSpan(ROOT_CONTEXT, spans.get(request)!), done);
  server.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, id } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const attributes = { 'http.request.method': method, 'http.route': route, [`${NAME}.request_id`]: id };
    const parent = propagation.extract(ROOT_CONTEXT, headers);
    const span = own().startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    spans.set(request, span);
    // The request's events store this span, so the jobs that follow from them join its trace.
    headers['traceparent'] = traceparentOf(span)!;
    within(request, done);
  });
  // The body is read in turns of the socket, which have lost the request's context.
  server.addHook('preValidation', (request, _reply, done) => within(request, done));
  server.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
}
