import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import { EVENT_STREAM } from './streams/event-stream.js';
import { NAME } from '#config/product.js';

/** Seconds, from an answer from memory to one that nearly times out. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts and times requests by method, route template and status, never by URL, as there is no end of URLs. */
export function measureRequests(server: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: `${NAME}_http_request_duration_seconds`,
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  server.addHook('onResponse', (request, reply, done) => {
    // It takes as long as its reader likes.
    if (reply.getHeader('content-type') === EVENT_STREAM) return done();
    const route = request.routeOptions.url ?? 'unknown';
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
    done();
  });
}
