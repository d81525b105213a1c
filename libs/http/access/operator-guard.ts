import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isPreflight } from './cross-origin.js';
import { Problem } from '../problems/problem.js';
import { TITLE } from '#config/product.js';
import type { SessionCookie, SessionVerifier } from './session.js';

/** Admits operators by the admin key, or by a session of it. Without one there is no /admin. */
export class OperatorGuard {
  constructor(
    private readonly adminKey: string | null,
    private readonly sessions: SessionVerifier,
    private readonly cookie: SessionCookie,
  ) {}

  /** Refuses all but the key in the header `X-ADMIN-KEY`, or without that header a cookie. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const presented = request.headers['x-admin-key'];
    const isByCookie = this.adminKey !== null && presented === undefined && !isPreflight(request);
    const token = isByCookie ? this.cookie.tokenOf(request, reply) : undefined;
    if (token !== undefined) return this.admitSession(token);
    this.require(request, presented, 'ApiKey');
    return undefined;
  }

  /** Whether it is the admin key. */
  isKey(presented: unknown): boolean {
    return (
      typeof presented === 'string' && this.adminKey !== null && equalInConstantTime(presented, this.adminKey)
    );
  }

  private async admitSession(token: string): Promise<void> {
    if ((await this.sessions.find(token))?.caller !== null) throw unauthorized('ApiKey');
  }

  /** The same for a page, as a browser sends a password instead of a header. */
  admitToPage(request: FastifyRequest): void {
    const presented = request.headers['x-admin-key'] ?? passwordOf(request);
    this.require(
      request,
      presented,
      `Basic realm="${TITLE} operators: the admin key is the password", charset="UTF-8"`,
    );
  }

  private require(request: FastifyRequest, presented: unknown, scheme: string): void {
    const { method, url } = request;
    if (this.adminKey === null) throw new Problem(404, 'not_found', `Cannot ${method} ${url}`);
    if (isPreflight(request)) return;
    if (!this.isKey(presented)) throw unauthorized(scheme);
  }
}

const unauthorized = (scheme: string): Problem =>
  new Problem(401, 'unauthorized', 'X-ADMIN-KEY: give the operator key in this header.', {
    headers: { 'WWW-Authenticate': scheme },
  });

/** The password of HTTP basic authentication (RFC 7617); any user name will do. */
function passwordOf({ headers }: FastifyRequest): string | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  return text.includes(':') ? text.slice(text.indexOf(':') + 1) : undefined;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares two secrets in constant time, which does not reveal where they differ. */
const equalInConstantTime = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other));
