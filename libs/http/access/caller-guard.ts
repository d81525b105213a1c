import type { FastifyReply } from 'fastify';
import type { Caller, KeyVerifier, ApiRequest } from './caller.js';
import { notFound, Problem } from '../problems/problem.js';
import { isRead } from './reads.js';
import type { RateLimit } from '../rate-limit/rate-limit.js';
import type { Session, SessionCookie, SessionVerifier } from './session.js';

/** A key or the token of a session, and whom it stands for at the moment. */
interface Presented {
  by: string;
  verify: () => Promise<Caller | null> | Caller | null;
  keyHolds: () => Promise<boolean>;
}

/**
 * Admits callers of the API by their keys, or by sessions of these keys. Gives a promise only when it must wait: most keys are known, and every request
 * comes through here.
 */
export class CallerGuard {
  constructor(
    private readonly keys: KeyVerifier,
    private readonly sessions: SessionVerifier,
    private readonly cookie: SessionCookie,
    private readonly rateLimit: RateLimit | null,
  ) {}

  /** Sets the request's `caller`. An organization in the path that the key cannot see counts as missing. */
  admit(request: ApiRequest, reply: FastifyReply): Promise<void> | undefined {
    const presented = this.presentedIn(request, reply);
    const caller = presented.verify();
    if (caller instanceof Promise)
      return caller.then((found) => this.atItsRate(request, reply, found, presented));
    return this.atItsRate(request, reply, caller, presented);
  }

  /** A key in its header wins over a cookie. */
  private presentedIn(request: ApiRequest, reply: FastifyReply): Presented {
    const key = request.headers['x-api-key'];
    const token = key === undefined ? this.cookie.tokenOf(request, reply) : undefined;
    if (token !== undefined) return this.sessionOf(token);
    const by = typeof key === 'string' ? key : '';
    const verify = () => this.keys.verify(by);
    return { by, verify, keyHolds: async () => (await verify()) !== null };
  }

  private sessionOf(token: string): Presented {
    let session: Session | null = null;
    const verify = async () => {
      session = await this.sessions.find(token);
      return session?.caller ?? null;
    };
    return { by: token, verify, keyHolds: async () => (await session?.keyHolds()) ?? false };
  }

  /** Before anything more costly, and whatever the answer: this also slows down callers who search for organizations. */
  private atItsRate(
    request: ApiRequest,
    reply: FastifyReply,
    found: Caller | null,
    presented: Presented,
  ): Promise<void> | undefined {
    const caller = requireKey(found);
    const admitted = this.rateLimit?.admit(caller.keyId, reply);
    if (admitted) return admitted.then(() => this.enter(request, caller, presented));
    return this.enter(request, caller, presented);
  }

  private enter(
    request: ApiRequest,
    caller: Caller,
    { by, verify, keyHolds }: Presented,
  ): Promise<void> | undefined {
    requireAccess(request, caller);
    request.caller = caller;
    request.admission = { by, keyHolds, holds: async () => (await verify()) !== null };
    return caller.agentId === null ? undefined : this.enterAs(caller.agentId, request, caller);
  }

  /** The agent acts only in its own organization; in others that the key sees, the key acts for itself. */
  private async enterAs(agentId: string, request: ApiRequest, caller: Caller): Promise<void> {
    const organizationId = request.params['organization_id'];
    const isIts = organizationId !== undefined && (await this.keys.hasAgent(organizationId, agentId));
    if (!isIts) request.caller = { ...caller, agentId: null };
  }
}

/** The caller behind the request's key; 401 where there is none. */
function requireKey(caller: Caller | null): Caller {
  if (caller) return caller;
  throw new Problem(401, 'unauthorized', 'X-API-KEY: give a valid API key in this header.', {
    headers: { 'WWW-Authenticate': 'ApiKey' },
  });
}

/** Throws unless the caller may see the request's organization and do what it asks for. */
function requireAccess(request: ApiRequest, caller: Caller): void {
  const organizationId = request.params['organization_id'];
  if (organizationId !== undefined && !caller.organizationIds.has(organizationId))
    throw notFound('organization', organizationId);
  if (caller.readOnly && !isRead(request))
    throw new Problem(403, 'read_only_key', 'X-API-KEY: this key may only read.');
}
