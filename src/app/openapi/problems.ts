import type { OpenAPIObject } from '@nestjs/swagger';
import { exampleId, filledPath } from './ids.js';
import { operationsOf } from './parts.js';
import { SESSION_PATH, withoutHeader } from '#http/access/session.js';
import { bodyOf, invalid, notFound, Problem, unavailable } from '#http/problems/problem.js';

interface Operation {
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>;
}

const AN_EMAIL = { field: 'email', detail: 'must be an e-mail address' };

/** What a route answers with a status, unless `exampleOf` knows better. */
const PROBLEMS: Record<number, Problem> = {
  400: invalid([AN_EMAIL]),
  403: new Problem(403, 'read_only_key', 'X-API-KEY: this key may only read.'),
  412: new Problem(
    412,
    'version_mismatch',
    'If-Match: the record is not what you have seen, it is at "4"; read it again.',
  ),
  413: new Problem(
    413,
    'body_too_large',
    'The body is too large: a mail may have 25 MiB, any other body 2 MiB.',
  ),
  415: new Problem(415, 'unsupported_media_type', 'Send the body as application/json.'),
  422: new Problem(
    422,
    'idempotency_key_reused',
    'Idempotency-Key: it was used for a request with another body; use a new key for a new request.',
  ),
  429: new Problem(429, 'rate_limited', 'This key may send 100 requests a second, and 200 at once.'),
  500: new Problem(
    500,
    'internal_error',
    'Something went wrong on our side; the request id helps us to find it.',
  ),
  503: unavailable(),
};

const IN_PROGRESS = new Problem(
  409,
  'idempotency_in_progress',
  'Idempotency-Key: the first request with this key is still running; repeat it in a moment.',
);
const CONFLICT = new Problem(
  409,
  'version_conflict',
  'Another request changed the record at the same moment; try again.',
);
const REBUILDING = new Problem(
  409,
  'rebuild_in_progress',
  'The projection audit is being rebuilt or verified already; wait for it.',
);
const DRAFT_SENDING = new Problem(
  409,
  'draft_sending',
  `The draft ${exampleId('draft')} is being sent right now.`,
);
const WRONG_SIGNATURE = new Problem(
  403,
  'wrong_signature',
  'X-Twilio-Signature: it is not that of this channel for this URL and these parameters.',
);

/** The records that paths name by a parameter of another name. */
const RECORDS: Record<string, string> = {
  draft_id: 'message_draft',
  response_id: 'response_draft',
  key_id: 'api_key',
  link_id: 'tracked_link',
  modality: 'channel',
  record: 'record_type',
  name: 'projection',
};

/** Gives each documented problem the example that is true of its status and route. */
export function describeProblems(document: OpenAPIObject): OpenAPIObject {
  for (const { path, method, operation } of operationsOf<Operation>(document))
    for (const [status, response] of Object.entries(operation.responses)) {
      const json = response.content?.[MEDIA_TYPE];
      const problem = exampleOf(Number(status), method, path);
      if (!json || !problem) continue;
      const example = bodyOf(problem, { id: REQUEST_ID, url: filledPath(path) });
      // A copy: the routes of a controller share what its decorators say.
      operation.responses[status] = { ...response, content: { [MEDIA_TYPE]: { ...json, example } } };
    }
  return document;
}

const MEDIA_TYPE = 'application/problem+json';
const REQUEST_ID = '0b8f2b0e-6c1f-4d8e-9f65-6a1d5c2f7e43';

function exampleOf(status: number, method: string, path: string): Problem | undefined {
  if (status === 401) return new Problem(401, 'unauthorized', lackingKey(path));
  if (status === 403 && path.startsWith('/hooks/')) return WRONG_SIGNATURE;
  if (status === 403 && mayBeReadOnly(method, path)) return withoutHeader();
  if (status === 404) return missing(path);
  if (status === 409 && path.endsWith('/rebuild')) return REBUILDING;
  if (status === 409 && path.endsWith('/unschedule')) return DRAFT_SENDING;
  if (status === 409) return conflictOf(method);
  return PROBLEMS[status];
}

/** Keys that may only read are not refused there; a request by cookie may be. */
const mayBeReadOnly = (method: string, path: string): boolean =>
  !path.startsWith('/api/') || method === 'get' || path.endsWith('/render');

/** Only a POST changes no record that somebody else could change. */
const conflictOf = (method: string): Problem => (method === 'post' ? IN_PROGRESS : CONFLICT);

function lackingKey(path: string): string {
  if (path.startsWith('/hooks/')) return 'token: it is not the token of this channel.';
  if (path === SESSION_PATH)
    return 'X-API-KEY, X-ADMIN-KEY: give a valid API key or the operator key in its header.';
  return path.startsWith('/admin/')
    ? 'X-ADMIN-KEY: give the operator key in this header.'
    : 'X-API-KEY: give a valid API key in this header.';
}

/**
 * That there is no record with the last id of the path; where it has none, that there is no such path. With an external id that nobody
 * has, a record is made.
 */
function missing(path: string): Problem {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const name = names.findLast((one) => one !== 'external_id');
  if (name === undefined) return new Problem(404, 'not_found', `There is nothing at ${path}.`);
  return notFound(recordOf(name, path), exampleId(name));
}

function recordOf(name: string, path: string): string {
  if (path.startsWith('/l/')) return 'link';
  if (path.startsWith('/u/')) return 'unsubscribe_link';
  if (path.startsWith('/admin/v1/deliveries/')) return 'delivery';
  return RECORDS[name] ?? name.replace(/_id$/, '');
}
