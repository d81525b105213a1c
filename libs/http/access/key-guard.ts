import type { FastifyInstance, FastifyReply } from 'fastify';
import type { HookVerifier, KeyVerifier, ApiRequest } from './caller.js';
import { CallerGuard } from './caller-guard.js';
import { isPreflight } from './cross-origin.js';
import { answerProblem } from '../problems/errors.js';
import { OperatorGuard } from './operator-guard.js';
import { SESSION_PATH, type SessionCookie, type SessionVerifier } from './session.js';
import { SessionGuard } from './session-guard.js';
import { Problem } from '../problems/problem.js';
import type { RateLimit } from '../rate-limit/rate-limit.js';

/** Pages for a browser, which sends a password instead of a header. */
export const QUEUES_PATH = '/admin/queues';

/**
 * Checks keys before anything else of a request is read: `X-API-KEY` below /api, `X-ADMIN-KEY` below /admin, for both
 * the cookie of a session instead, and the channel's token below /hooks. Pages below /u have signed links; who opens them is only counted. Twilio signs its whole requests instead. A hook and no guard of Nest: those run once the
 * body is read, so that anybody could make the process read 25 MiB. They also do not run where no route is.
 */
export function guardKeys(
  server: FastifyInstance,
  keys: KeyVerifier,
  sessions: SessionVerifier,
  cookie: SessionCookie,
  hooks: HookVerifier,
  adminKey: string | null,
  rateLimits: { key: RateLimit | null; channel: RateLimit | null; visitor: RateLimit | null },
): void {
  const operators = new OperatorGuard(adminKey, sessions, cookie);
  const callers = new CallerGuard(keys, sessions, cookie, rateLimits.key);
  const beginners = new SessionGuard(callers, operators, sessions, cookie);

  const admit = (surface: string, request: ApiRequest, reply: FastifyReply): Promise<void> | undefined => {
    // A browser sends no key with it: it is told that the method is not there.
    if (isPreflight(request) && surface.startsWith('/api/')) return;
    if (surface.startsWith('/api/')) return callers.admit(request, reply);
    if (surface.startsWith('/u/')) return rateLimits.visitor?.admit(request.ip, reply) ?? undefined;
    if (surface === SESSION_PATH) return beginners.admit(request, reply);
    if (isPage(surface)) operators.admitToPage(request);
    else if (surface.startsWith('/admin/')) return operators.admit(request, reply);
    else if (surface.startsWith('/hooks/') && request.method === 'POST' && !surface.endsWith('/twilio'))
      return admitProvider(request, reply, surface, hooks, rateLimits.channel);
  };

  server.addHook('onRequest', (request, reply, done) => {
    // The matched route, not the URL as written: /%61pi/v2 leads to the same route as /api/v2.
    const surface = request.routeOptions.url ?? request.url;
    let pending: Promise<void> | undefined;
    try {
      pending = admit(surface, request as ApiRequest, reply);
    } catch (refusal) {
      // The pages' own error handler would make it a 500.
      if (isPage(surface)) answerProblem(refusal, request, reply);
      else done(refusal as Error);
      return;
    }
    if (pending) pending.then(() => done(), done);
    else done();
  });
}

const isPage = (surface: string): boolean => surface === QUEUES_PATH || surface.startsWith(`${QUEUES_PATH}/`);

/**
 * Each door of a channel has a rate of its own: whoever floods the form, whose URL stands in a web page, must not keep the
 * mails out. What is refused is sent again by its provider.
 */
async function admitProvider(
  request: ApiRequest,
  reply: FastifyReply,
  surface: string,
  hooks: HookVerifier,
  rateLimit: RateLimit | null,
): Promise<void> {
  const channelId = request.params['channel_id']!;
  const door = surface.slice(surface.lastIndexOf('/') + 1);
  const { token } = request.query as { token?: unknown };
  const hook = await hooks.verifyHook(channelId, door, token);
  if (!hook) throw new Problem(401, 'unauthorized', 'token: it is not the token of this channel.');
  await rateLimit?.admit(`${channelId}/${door}`, reply);
  request.hook = hook;
}
