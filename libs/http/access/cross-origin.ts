import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Seconds that a browser may keep the answer to a preflight; Chromium keeps none longer. */
const KEPT_S = 7_200;

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'X-API-KEY, Content-Type, Idempotency-Key, If-Match, Last-Event-ID, X-Request-Id, traceparent, tracestate',
  'access-control-max-age': String(KEPT_S),
};

const EXPOSED =
  'ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotency-Replayed';

/** The question of a browser whether a page of another origin may send a request (CORS). It never has a key. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** Lets pages of some other origins call the API. */
export class CrossOrigin {
  private readonly origins: ReadonlySet<string>;

  constructor(origins: string[]) {
    this.origins = new Set(origins);
  }

  /** Answers their preflights below /api, and marks all other answers there. Call it before any other hook may refuse. */
  allowIn(server: FastifyInstance): void {
    if (this.origins.size === 0) return;
    server.addHook('onRequest', (request, reply, done) => {
      this.mark(request, reply);
      if (isPreflight(request) && reply.hasHeader('access-control-allow-origin'))
        void reply.headers(PREFLIGHT_HEADERS).status(204).send();
      else done();
    });
  }

  /** Lets the page read the answer, whatever it is. */
  mark(request: FastifyRequest, reply: FastifyReply): void {
    if (this.origins.size === 0 || !isBelowApi(request)) return;
    void reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin !== undefined && this.origins.has(origin))
      void reply.headers({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': EXPOSED,
      });
  }
}

/** By the matched route where there is one: /%61pi/v2 leads to the same route as /api/v2. */
const isBelowApi = ({ routeOptions, url }: FastifyRequest): boolean =>
  /^\/api(?:[/?]|$)/.test(routeOptions.url ?? url);
