import { HttpException } from '@nestjs/common';
import { RuleViolation } from '#kernel/decider.js';
import { VersionConflict } from '#event-store/refusal.js';
import { VersionMismatch } from '#event-store/expectation.js';
import { hasLostNode, isDeadlock, isMoved } from '#database/refusal.js';
import { NAME } from '#config/product.js';

/** One field that is wrong, and how. */
export interface FieldProblem {
  field: string;
  detail: string;
}

/** The route to use instead; `route` is a concrete path. */
export interface Hint {
  method: string;
  route: string;
}

interface Extras {
  errors?: FieldProblem[];
  hint?: Hint;
  headers?: Record<string, string>;
}

/** An answer other than success, as RFC 9457 problem details. `code` is the stable word of the contract. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly extras: Extras = {},
  ) {
    super(detail);
  }
}

/** The URI that names a kind of problem (RFC 9457, 3.1.1). It leads nowhere. */
export const problemType = (code: string): string => `https://${NAME}.example/problems/${code}`;

/** The body of a problem's answer; `url` is the path that was called. */
export const bodyOf = (
  { status, code, detail, extras }: Problem,
  { id, url }: { id: string; url: string },
) => ({
  type: problemType(code),
  title: code.replace(/_/g, ' ').replace(/^./, (first) => first.toUpperCase()),
  status,
  detail,
  instance: url.split('?')[0]!,
  code,
  request_id: id,
  ...(extras.errors && { errors: extras.errors }),
  ...(extras.hint && { hint: extras.hint }),
});

const named = (word: string) => word.replace(/_/g, ' ');

/** 404: no such record in this organization, whether it never existed or belongs to another. */
export const notFound = (resource: string, id: string): Problem =>
  new Problem(404, `${resource}_not_found`, `There is no ${named(resource)} ${id}.`);

/** Most fields that an answer names: a body of 2 MiB may have hundreds of thousands that are wrong. */
const MOST_NAMED = 1_000;

/** 400 naming every field that is wrong. */
export function invalid(problems: FieldProblem[]): Problem {
  const errors = problems.slice(0, MOST_NAMED);
  const detail = errors.map(({ field, detail }) => `${field}: ${detail}`).join('; ');
  return new Problem(400, 'validation_failed', detail, { errors });
}

/** 415: the body is of another media type than the route takes. */
export const notJson = (): Problem =>
  new Problem(415, 'unsupported_media_type', 'Send the body as application/json.');

/** 415: the body is compressed or otherwise encoded (RFC 9110, 12.5.3). */
export const encoded = (): Problem =>
  new Problem(415, 'unsupported_media_type', 'Send the body as it is, without a Content-Encoding.', {
    headers: { 'Accept-Encoding': 'identity' },
  });

/** 503: `what` the service needs is away; the caller may try again in a second. */
export const unavailable = (what = 'its database'): Problem =>
  new Problem(503, 'unavailable', `The service cannot reach ${what} right now; try again shortly.`, {
    headers: { 'Retry-After': '1' },
  });

const CODES: Record<number, string> = {
  400: 'validation_failed',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'version_conflict',
  412: 'version_mismatch',
  408: 'request_timeout',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  431: 'headers_too_large',
  503: 'unavailable',
};

/**
 * The problem for any error: thrown problems and rule violations as they are, Fastify's errors by their status, a lost
 * database as
 * 503, all others as 500.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof RuleViolation)
    return error.code === 'validation_failed'
      ? invalid([{ field: error.field ?? '', detail: error.message }])
      : new Problem(400, error.code, error.message);
  if (error instanceof VersionConflict)
    return new Problem(
      409,
      'version_conflict',
      'Another request changed the record at the same moment; try again.',
    );
  if (error instanceof VersionMismatch)
    return new Problem(
      412,
      'version_mismatch',
      `If-Match: the record is not what you have seen, ${error.message}; read it again.`,
    );
  if (error instanceof HttpException) return fromStatus(error.getStatus(), error.message);
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message?: string };
  if (code === 'FST_ERR_BAD_URL')
    return invalid([{ field: 'path', detail: 'is not valid percent-encoding' }]);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return fromStatus(statusCode, message ?? '');
  if (isLostConnection(code, message) || hasLostNode(error) || isMoved(error)) return unavailable();
  if (isDeadlock(error)) return unavailable('what other requests are changing');
  if (code === READ_ONLY) return unavailable('a database that takes writes');
  if (NO_ROOM.test(code ?? '')) return unavailable('room on its disk');
  return new Problem(
    500,
    'internal_error',
    'Something went wrong on our side; the request id helps us to find it.',
  );
}

const fromStatus = (status: number, message: string): Problem =>
  status === 400
    ? invalid([{ field: 'body', detail: message }])
    : new Problem(
        status,
        CODES[status] ?? 'error',
        ADVICE[status] ?? (message || 'The request cannot be answered.'),
      );

/** What the caller can do, where the server's own words do not say. */
const ADVICE: Record<number, string> = {
  413: 'The body is too large: a mail may have 25 MiB, a file 20 MiB, a form or chat 256 KiB, a text of Twilio 64 KiB, any other body 2 MiB.',
  415: 'Content-Type: name the type of the body, such as application/json.',
};

/** SQLSTATE read_only_sql_transaction: after a failover, the server may be a replica. */
const READ_ONLY = '25006';

/** SQLSTATEs of a full disk, no memory and a failing device; system errors for the first and the last. */
const NO_ROOM = /^(53100|53200|58030|ENOSPC|EDQUOT|EIO)$/;

/** System errors for a host that does not answer, has no known address, or cannot be reached. */
const AWAY = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'],
]);

/** What the driver says without a code. */
const LOST = /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed/;

/** SQLSTATE class 57P (shutdown), 53300 (too many connections), 25P03 (idle in transaction) and the socket's own errors. */
function isLostConnection(code = '', message = ''): boolean {
  return /^(57P..|53300|25P03)$/.test(code) || AWAY.has(code) || LOST.test(message);
}
