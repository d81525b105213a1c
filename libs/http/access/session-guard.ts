import type { FastifyReply } from 'fastify';
import { invalid, Problem } from '../problems/problem.js';
import type { ApiRequest } from './caller.js';
import type { CallerGuard } from './caller-guard.js';
import type { OperatorGuard } from './operator-guard.js';
import type { SessionCookie, SessionVerifier } from './session.js';

/** Admits those who begin a session with a key, and those who end theirs. */
export class SessionGuard {
  constructor(
    private readonly callers: CallerGuard,
    private readonly operators: OperatorGuard,
    private readonly sessions: SessionVerifier,
    private readonly cookie: SessionCookie,
  ) {}

  /** Sets the request's `caller` where it begins the session of an API key. */
  admit(request: ApiRequest, reply: FastifyReply): Promise<void> | undefined {
    if (request.method === 'POST') return this.admitBeginning(request, reply);
    if (request.method === 'DELETE') return this.admitEnding(this.cookie.tokenOf(request, reply));
    return undefined;
  }

  private admitBeginning(request: ApiRequest, reply: FastifyReply): Promise<void> | undefined {
    const { 'x-api-key': apiKey, 'x-admin-key': adminKey } = request.headers;
    if (apiKey !== undefined && adminKey !== undefined)
      throw invalid([{ field: 'X-ADMIN-KEY', detail: 'must be left out where X-API-KEY is given' }]);
    if (apiKey !== undefined) return this.callers.admit(request, reply);
    if (this.operators.isKey(adminKey)) return undefined;
    throw unauthorized('X-API-KEY, X-ADMIN-KEY: give a valid API key or the operator key in its header.');
  }

  private async admitEnding(token: string | undefined): Promise<void> {
    if (token !== undefined && (await this.sessions.find(token))) return;
    throw unauthorized('Cookie: there is no session to end.');
  }
}

const unauthorized = (detail: string): Problem =>
  new Problem(401, 'unauthorized', detail, { headers: { 'WWW-Authenticate': 'ApiKey' } });
