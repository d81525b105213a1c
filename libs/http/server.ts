import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Server } from 'node:http';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyHttpOptions, type FastifyInstance, LogController } from 'fastify';
import { type Network, isWithin } from '#config/networks.js';
import type { Database } from '#database/database.js';
import type { Drain } from './limits/drain.js';
import {
  answerClientError,
  answerProblem,
  ignoreExpectations,
  refuseWithoutOneHost,
  refuseWrongMethods,
} from './problems/errors.js';
import { readFromReplicas } from './access/replica-reads.js';
import { refuseNulInPath } from './input/refuse-nul-in-path.js';
import { limitConnections, REQUEST_LIMITS } from './limits/connection-limits.js';
import { CrossOrigin } from './access/cross-origin.js';
import { LARGEST_BODY, readBodies } from './input/bodies.js';
import { SPOOL_FOLDER } from './input/spool.js';
import { boundAnswers } from './limits/bound-answers.js';
import { expandAnswers } from './expansion/expand-answers.js';
import { RecordReaders } from './expansion/record-readers.js';
import { takeIdempotencyKeys } from './idempotency/idempotency.js';
import type { Sealer } from './idempotency/kept-answer.js';
import { guardKeys } from './access/key-guard.js';
import type { HookVerifier, KeyVerifier } from './access/caller.js';
import type { SessionVerifier } from './access/session.js';
import { refuseUntakenInput } from './input/refuse-unknown-input.js';
import { SessionCookie } from './access/session.js';
import { PublicUrl } from './public-url.js';
import { compressAnswers } from './compress-answers.js';
import { isPrivate, PRIVATE } from './private-answers.js';
import { boundDoors } from './limits/door-limits.js';
import { takeOneAtATime } from './limits/one-at-a-time.js';
import { RateLimit } from './rate-limit/rate-limit.js';
import { routesOf } from './routes.js';
import { API_SECURITY_HEADERS, SECURITY_HEADERS } from './access/security-headers.js';
import { tagAnswers } from './versions/versioned.js';

const REQUEST_ID = /^[\x20-\x7e]{1,255}$/;

/** The Fastify adapter with request ids, body limit and log in place. */
export function httpAdapter(
  loggerInstance: unknown,
  { corsOrigins, trustedProxies }: { corsOrigins: string[]; trustedProxies: Network[] },
): FastifyAdapter {
  const crossOrigin = new CrossOrigin(corsOrigins);
  const options: FastifyHttpOptions<Server> = {
    loggerInstance: loggerInstance as never,
    // Log entries name the request id themselves, so no request needs a logger of its own.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LARGEST_BODY,
    trustProxy: trustedProxies.length > 0 && ((address: string) => isTrusted(address, trustedProxies)),
    requestIdHeader: false,
    genReqId: (raw) => {
      const given = raw.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    // An id of any length that fits a request line is merely not found.
    routerOptions: { maxParamLength: 20_000, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    // While the server closes, requests on open connections are answered as before.
    return503OnClosing: false,
    // No hook has seen these requests.
    frameworkErrors: (error, request, reply) => {
      crossOrigin.mark(request, reply);
      answerProblem(error, request, reply);
    },
    clientErrorHandler: answerClientError,
    // Node's own refusal has neither body nor request id: `refuseWithoutOneHost` answers instead.
    http: {
      requireHostHeader: false,
      headersTimeout: REQUEST_LIMITS.head,
      connectionsCheckingInterval: REQUEST_LIMITS.lookEvery,
    },
    requestTimeout: REQUEST_LIMITS.whole,
  };
  return new FastifyAdapter(options);
}

/** Whether X-Forwarded-For of this address counts; a proxy may pass on text that is no address. */
const isTrusted = (address: string, proxies: Network[]): boolean =>
  ipaddr.isValid(address) && isWithin(ipaddr.process(address), proxies);

/** What operators set of the HTTP side. */
export interface HttpSettings {
  /** The key of operators; null when there is none, and `/admin` answers nobody. */
  adminKey: string | null;
  /** Requests per second and key; 0: no limit. */
  rateLimitRps: number;
  /** The same for each channel that providers push to, and each address that opens pages below /u. */
  channelRateLimitRps: number;
  /** Where processes count together; null when each counts alone. */
  redisUrl: string | null;
  /** Origins of the pages that may call from a browser. */
  corsOrigins: string[];
  /** The folder for what must outlive a request, and for uploads on their way. */
  dataDir: string;
}

/** Hooks, pipes and interceptors that every surface shares. Call before `init`; the result is called after it. */
export async function prepareHttp(
  app: NestFastifyApplication,
  keys: KeyVerifier,
  sessions: SessionVerifier,
  hooks: HookVerifier,
  { adminKey, rateLimitRps, channelRateLimitRps, redisUrl, corsOrigins, dataDir }: HttpSettings,
  database: Database,
  sealer: Sealer,
  drain: Drain,
): Promise<() => void> {
  const server = app.getHttpAdapter().getInstance();
  limitConnections(server);
  takeOneAtATime(server);
  headAnswers(server);
  new CrossOrigin(corsOrigins).allowIn(server);
  refuseWithoutOneHost(server);
  refuseNulInPath(server);
  ignoreExpectations(server);
  endConnections(server, drain);
  expandAnswers(server, app.get(RecordReaders));
  tagAnswers(server);
  guardKeys(server, keys, sessions, new SessionCookie(app.get(PublicUrl)), hooks, adminKey, {
    key: limitRates(server, rateLimitRps, redisUrl, 'key'),
    channel: limitRates(server, channelRateLimitRps, redisUrl, 'channel'),
    visitor: limitRates(server, channelRateLimitRps, redisUrl, 'address'),
  });
  compressAnswers(server);
  boundAnswers(server);
  if (database.replicas) readFromReplicas(server, database.replicas);
  const methods = refuseWrongMethods(server);
  boundDoors(server);
  readBodies(app, join(dataDir, SPOOL_FOLDER));
  const routes = routesOf(app);
  refuseUntakenInput(server, routes);
  takeIdempotencyKeys(routes, database, sealer);
  return () => methods.complete();
}

/** Every answer has the security headers of its surface, and the request's id; what is of one caller is for no shared cache. */
function headAnswers(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    const isApi = request.routeOptions.url?.startsWith('/api/') === true;
    void reply.headers(isApi ? API_SECURITY_HEADERS : SECURITY_HEADERS).header('x-request-id', request.id);
    if (isPrivate(request)) void reply.header('cache-control', PRIVATE);
    done();
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    // Whoever has it may ask whether it is still so.
    if (reply.hasHeader('etag') && reply.getHeader('cache-control') === PRIVATE)
      void reply.header('cache-control', 'private, no-cache');
    done(null, payload);
  });
}

/** While this process ends, each answer is the last on its connection. */
function endConnections(server: FastifyInstance, drain: Drain): void {
  // Decided when the answer is sent: this process may have begun to end since the request.
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (drain.isOn) void reply.header('connection', 'close');
    done(null, payload);
  });
}

/** Null for a rate of 0, which is no limit. */
function limitRates(
  server: FastifyInstance,
  requestsPerSecond: number,
  redisUrl: string | null,
  who: string,
): RateLimit | null {
  if (requestsPerSecond === 0) return null;
  const rateLimit = new RateLimit(requestsPerSecond, redisUrl, who);
  rateLimit.chargeBodies(server);
  server.addHook('onClose', (_server, done) => {
    rateLimit.close();
    done();
  });
  return rateLimit;
}
