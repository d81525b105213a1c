import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Caller, HookVerifier, KeyVerifier, ParleyRequest } from './caller.js';
import { answerProblem } from './errors.js';
import { notFound, Problem } from './problem.js';
import type { RateLimit } from './rate-limit.js';

/** Pages for a browser, which sends a password instead of a header. */
export const QUEUES_PATH = '/admin/queues';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Checks keys before anything else of a request is read: `X-API-KEY` below /api, `X-ADMIN-KEY` below /admin, and the
 * channel's token below /hooks, so that nobody else can make the process read a body. Twilio signs its whole requests
 * instead. An organization in the path that the key cannot see counts as missing. Without an admin key there is no /admin.
 */
export function guardKeys(
  server: FastifyInstance,
  keys: KeyVerifier,
  hooks: HookVerifier,
  adminKey: string | null,
  rateLimit: RateLimit | null,
): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!isBelow(request.routeOptions.url ?? request.url, QUEUES_PATH)) return done();
    try {
      admitOperator(request as ParleyRequest, adminKey, true);
      done();
    } catch (refusal) {
      // The pages' own error handler would make it a 500.
      answerProblem(refusal, request, reply);
    }
  });

  // Uses promises only when it must wait: most keys are known, and every request comes through here.
  const check = (request: ParleyRequest, reply: FastifyReply): Promise<void> | undefined => {
    // The matched route, not the URL as written: /%61pi/v2 leads to the same route as /api/v2.
    const surface = request.routeOptions.url ?? request.url;
    if (surface.startsWith('/admin/') && !isBelow(surface, QUEUES_PATH))
      admitOperator(request, adminKey, false);
    if (surface.startsWith('/hooks/') && request.method === 'POST' && !surface.endsWith('/twilio'))
      return admitProvider(request, hooks);
    if (!surface.startsWith('/api/')) return;
    const presented = request.headers['x-api-key'];
    const caller = keys.verify(typeof presented === 'string' ? presented : undefined);
    if (caller instanceof Promise) return caller.then((found) => admit(request, reply, found));
    return admit(request, reply, caller);
  };

  const admit = (request: ParleyRequest, reply: FastifyReply, found: Caller | null) => {
    const caller = requireKey(found);
    // Before anything more costly, and whatever the answer: this also slows down callers who search for organizations.
    const admitted = rateLimit?.admit(caller.keyId, reply);
    if (admitted) return admitted.then(() => enter(request, caller));
    return enter(request, caller);
  };

  const enter = (request: ParleyRequest, caller: Caller): Promise<void> | undefined => {
    requireAccess(request, caller);
    request.caller = caller;
    return caller.agentId === null ? undefined : enterAs(caller.agentId, request, caller);
  };

  const enterAs = async (agentId: string, request: ParleyRequest, caller: Caller): Promise<void> => {
    if (!(await isAgentIn(request.params['organization_id'], agentId, keys)))
      request.caller = { ...caller, agentId: null };
  };

  server.addHook('onRequest', (request, reply, done) => {
    let pending: Promise<void> | undefined;
    try {
      pending = check(request as ParleyRequest, reply);
    } catch (refusal) {
      return done(refusal as Error);
    }
    if (pending) pending.then(() => done(), done);
    else done();
  });
}

async function admitProvider(request: ParleyRequest, hooks: HookVerifier): Promise<void> {
  const { token } = request.query as { token?: unknown };
  const hook = await hooks.verifyHook(request.params['channel_id']!, token);
  if (!hook) throw new Problem(401, 'unauthorized', 'token: it is not the token of this channel.');
  request.hook = hook;
}

/** The caller behind the request's key; 401 where there is none. */
function requireKey(caller: Caller | null): Caller {
  if (caller) return caller;
  throw new Problem(401, 'unauthorized', 'X-API-KEY: give a valid API key in this header.', {
    headers: { 'WWW-Authenticate': 'ApiKey' },
  });
}

/** Throws unless the caller may see the request's organization and do what it asks for. */
function requireAccess(request: ParleyRequest, caller: Caller): void {
  const organizationId = request.params['organization_id'];
  if (organizationId !== undefined && !caller.organizationIds.has(organizationId))
    throw notFound('organization', organizationId);
  if (caller.readOnly && !SAFE_METHODS.has(request.method))
    throw new Problem(403, 'read_only_key', 'X-API-KEY: this key may only read.');
}

/** Whether the agent acts: only in its own organization; in others that the key sees, the key acts for itself. */
async function isAgentIn(
  organizationId: string | undefined,
  agentId: string,
  keys: KeyVerifier,
): Promise<boolean> {
  return organizationId !== undefined && keys.hasAgent(organizationId, agentId);
}

function admitOperator(request: ParleyRequest, adminKey: string | null, isPage: boolean): void {
  if (adminKey === null) throw new Problem(404, 'not_found', `Cannot ${request.method} ${request.url}`);
  const presented = request.headers['x-admin-key'] ?? (isPage ? passwordOf(request) : undefined);
  if (typeof presented === 'string' && equalInConstantTime(presented, adminKey)) return;
  const scheme = isPage
    ? 'Basic realm="Parley operators: the admin key is the password", charset="UTF-8"'
    : 'ApiKey';
  throw new Problem(401, 'unauthorized', 'X-ADMIN-KEY: give the operator key in this header.', {
    headers: { 'WWW-Authenticate': scheme },
  });
}

/** The password of HTTP basic authentication (RFC 7617); any user name will do. */
function passwordOf({ headers }: ParleyRequest): string | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  return text.includes(':') ? text.slice(text.indexOf(':') + 1) : undefined;
}

const isBelow = (path: string, top: string): boolean => path === top || path.startsWith(`${top}/`);

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares two secrets in constant time, which does not reveal where they differ. */
const equalInConstantTime = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other));
