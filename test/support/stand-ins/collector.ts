import { createServer } from 'node:http';
import type { Json } from '../clients/client.js';

export interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  /** As OpenTelemetry numbers it: 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number;
  attributes: Record<string, Json>;
}

/** Stands in for an OpenTelemetry collector: takes OTLP over HTTP as JSON. */
export interface Collector {
  url: string;
  spans: Span[];
  services: Set<string>;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const spans: Span[] = [];
  const services = new Set<string>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      if (request.url === '/v1/traces') take(JSON.parse(text));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const take = ({ resourceSpans }: Json) => {
    for (const { resource, scopeSpans } of resourceSpans) {
      services.add(valuesOf(resource.attributes)['service.name']);
      for (const scope of scopeSpans)
        for (const span of scope.spans) spans.push({ ...span, attributes: valuesOf(span.attributes) });
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    services,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const valuesOf = (attributes: Json[]): Record<string, Json> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
