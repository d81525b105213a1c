import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NAME, TITLE } from '#config/product.js';
import { Problem } from '../problems/problem.js';
import type { PublicUrl } from '../public-url.js';
import type { Caller } from './caller.js';

/** Where a browser signs in and out. */
export const SESSION_PATH = '/console/session';

/** The cookie that holds the token of a session; see `SessionCookie`. */
export const SESSION_COOKIE = `${NAME}_session`;
const HOST_COOKIE = `__Host-${SESSION_COOKIE}`;

/** Whom a session stands for: the caller of its key; null for the operators. */
export interface Session {
  caller: Caller | null;
  /** Whether its key is still valid; from memory, mostly. */
  keyHolds(): Promise<boolean>;
}

/** Finds sessions by their tokens. */
export interface SessionVerifier {
  /** Null for a token that is none, and for a session that has ended or whose key is valid no more. */
  find(token: string): Promise<Session | null>;
}

const HEADER = `X-${TITLE}-Console`;
/** Names the session that an answer was for, and that a page is of. */
const NAME_HEADER = `X-${TITLE}-Session`;

/** The name that a session's own page may read: it tells sessions apart and opens none. */
export const nameSession = (reply: FastifyReply, token: string): void =>
  void reply.header(NAME_HEADER, nameOf(token));

const nameOf = (token: string): string =>
  createHash('sha256').update(`name ${token}`).digest('base64url').slice(0, 22);

/**
 * The cookie of sessions. On https browsers let this host alone set a name that begins so (RFC 6265bis, 4.1.3.2): a page of a
 * neighbouring host could put its own session under any other name.
 */
export class SessionCookie {
  constructor(private readonly publicUrl: PublicUrl) {}

  nameFor(request: FastifyRequest): string {
    return this.isByHttps(request) ? HOST_COOKIE : SESSION_COOKIE;
  }

  /** TLS ends at a proxy: the operators say so, or a proxy that they trust. */
  isByHttps(request: FastifyRequest): boolean {
    return this.publicUrl.value.startsWith('https:') || request.protocol === 'https';
  }

  /**
   * The token in the request's cookie; undefined where there is none. 403 without the header that only a page of this origin can
   * send along: a browser adds the cookie by itself, whoever has made it ask. 401 for two sessions: which one the page is of, nobody knows;
   * and for another session than the one that the page names. The answer has the name.
   */
  tokenOf(request: FastifyRequest, reply: FastifyReply): string | undefined {
    const { cookie } = request.headers;
    if (cookie === undefined) return undefined;
    const found = cookiesIn(cookie).filter(([name]) => name === SESSION_COOKIE || name === HOST_COOKIE);
    if (new Set(found.map(([, token]) => token)).size > 1) throw twoSessions();
    const wanted = this.nameFor(request);
    const token = found.find(([name]) => name === wanted)?.[1];
    if (token === undefined) return undefined;
    if (request.headers[HEADER.toLowerCase()] !== '1') throw withoutHeader();
    const named = request.headers[NAME_HEADER.toLowerCase()];
    if (named !== undefined && named !== nameOf(token)) throw otherSession();
    nameSession(reply, token);
    return token;
  }
}

/** 403: the cookie has come without its header. */
export const withoutHeader = (): Problem =>
  new Problem(
    403,
    'console_header_missing',
    `${HEADER}: send this header with the value 1 beside the cookie.`,
  );

const twoSessions = (): Problem => unauthorized('Cookie: it names two sessions. Sign in again.');

const otherSession = (): Problem =>
  unauthorized(`${NAME_HEADER}: the cookie is of another session. Load the page again.`);

const unauthorized = (detail: string): Problem =>
  new Problem(401, 'unauthorized', detail, { headers: { 'WWW-Authenticate': 'ApiKey' } });

/** The pairs of a `Cookie` header (RFC 6265, 4.2.1). */
const cookiesIn = (header: string): [name: string, value: string][] =>
  header.split(';').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name.trim(), value.join('=').trim()];
  });
