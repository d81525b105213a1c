import type { FastifyRequest } from 'fastify';
import { NAME, TITLE } from '#config/product.js';
import { Problem } from '../problems/problem.js';
import type { Caller } from './caller.js';

/** Where a browser signs in and out. */
export const SESSION_PATH = '/console/session';

/** The cookie that holds the token of a session. */
export const SESSION_COOKIE = `${NAME}_session`;

/** Whom a session stands for: the caller of its key; null for the operators. */
export interface Session {
  caller: Caller | null;
}

/** Finds sessions by their tokens. */
export interface SessionVerifier {
  /** Null for a token that is none, and for a session that has ended or whose key is valid no more. */
  find(token: string): Promise<Session | null>;
}

const HEADER = `X-${TITLE}-Console`;

/**
 * The token in the request's cookie; undefined where there is none. 403 without the header that only a page of this origin can
 * send along: a browser adds the cookie by itself, whoever has made it ask.
 */
export function sessionTokenOf({ headers }: FastifyRequest): string | undefined {
  const token = headers.cookie === undefined ? undefined : cookieIn(headers.cookie);
  if (token !== undefined && headers[HEADER.toLowerCase()] !== '1') throw withoutHeader();
  return token;
}

/** 403: the cookie has come without its header. */
export const withoutHeader = (): Problem =>
  new Problem(
    403,
    'console_header_missing',
    `${HEADER}: send this header with the value 1 beside the cookie.`,
  );

/** The value of the cookie in a `Cookie` header (RFC 6265, 4.2.1). */
function cookieIn(header: string): string | undefined {
  for (const pair of header.split(';')) {
    const [name = '', ...value] = pair.split('=');
    if (name.trim() === SESSION_COOKIE) return value.join('=').trim();
  }
  return undefined;
}
