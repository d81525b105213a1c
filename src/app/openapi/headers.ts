import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './parts.js';
import { problemAnswer } from '#http/problems/problem.dto.js';

interface Operation {
  parameters?: object[];
  responses: Record<string, { description: string; headers?: Record<string, object> }>;
  /** Set by the decorator `Versioned`. */
  'x-versioned'?: { if_match: boolean };
}

/** Node's limit for all headers together. */
const LONGEST_HEADER = 16_384;

/**
 * Neither this header nor the conditions below have an example: pages that try requests out send examples as they stand, and
 * the second request under one key is another one, and no record is at a version made up here.
 */
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A word of your choice, such as a UUID, that names this request. For 24 hours a repeat with the same body is not ' +
    'carried out again and gets the same answer, with `Idempotency-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};

/** Described once in the document; answers refer to these. */
const HEADERS: Record<string, object> = {
  'Idempotency-Replayed': {
    description: 'There, with the value `true`, when this is the answer to an earlier request.',
    schema: { type: 'string', enum: ['true'] },
  },
  ETag: { description: 'Names the version of the record.', schema: { type: 'string' }, example: '"3"' },
  'RateLimit-Policy': {
    description:
      'The key may send `q` requests at once, and as many again in `w` seconds; not there without a limit.',
    schema: { type: 'string' },
    example: '"default";q=200;w=2',
  },
  RateLimit: {
    description:
      'The requests `r` that the key may send at once now, and the seconds `t` until it may send all of its quota.',
    schema: { type: 'string' },
    example: '"default";r=193;t=2',
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' }, example: 1 },
};

const headers = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'Entity tags of the versions that may be changed, such as the `ETag` you have read, or `*` for any that is there. ' +
    'Without it the record is changed whatever its version. Weak tags never match.',
  schema: { type: 'string', maxLength: LONGEST_HEADER },
};

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of what you have; while it is the latest, the answer is 304 without a body.',
  schema: { type: 'string', maxLength: LONGEST_HEADER },
};

/** Documents the headers that libs/http reads and sets for whole groups of routes. */
export function describeHeaders(document: OpenAPIObject): OpenAPIObject {
  document.components = { ...document.components, headers: HEADERS };
  for (const { path, method, operation } of operationsOf<Operation>(document)) {
    if (hasLimitedDoor(path)) describeRateLimit(operation);
    describeVersion(method, operation);
    if (!path.startsWith('/api/')) continue;
    if (method === 'post' || method === 'patch') describeIdempotency(operation);
    describeRateLimit(operation);
  }
  return document;
}

/** Twilio, whose requests are signed, does not send a refused text again. */
const hasLimitedDoor = (path: string): boolean => path.startsWith('/hooks/') && !path.endsWith('/twilio');

function describeIdempotency(operation: Operation): void {
  (operation.parameters ??= []).push(IDEMPOTENCY_KEY);
  giveHeaders(/^2/, operation, 'Idempotency-Replayed');
  for (const status of [409, 422]) operation.responses[status] ??= problemAnswer(status);
}

function describeVersion(method: string, operation: Operation): void {
  const versioned = operation['x-versioned'];
  if (!versioned) return;
  delete operation['x-versioned'];
  giveHeaders(/^2/, operation, 'ETag');
  if (method === 'get') {
    (operation.parameters ??= []).push(IF_NONE_MATCH);
    operation.responses[304] = { description: 'You have the latest version.', headers: headers('ETag') };
  }
  if (method === 'patch' || versioned.if_match) {
    (operation.parameters ??= []).push(IF_MATCH);
    operation.responses[412] ??= problemAnswer(412);
  }
}

function describeRateLimit(operation: Operation): void {
  operation.responses[429] ??= { ...problemAnswer(429), headers: headers('Retry-After') };
  // Without a valid key or token there is nothing to count requests for.
  giveHeaders(/^(2|4(?!01))/, operation, 'RateLimit-Policy', 'RateLimit');
}

/** Adds these headers to every answer of the operation with such a status. */
function giveHeaders(statuses: RegExp, { responses }: Operation, ...names: string[]): void {
  for (const [status, response] of Object.entries(responses))
    if (statuses.test(status)) Object.assign((response.headers ??= {}), headers(...names));
}

/** Documents failures that any route can have. */
export function describeFailures(document: OpenAPIObject): OpenAPIObject {
  for (const { path, operation } of operationsOf<Operation>(document)) {
    if (/^\/(api|admin)\//.test(path)) operation.responses[403] ??= problemAnswer(403);
    operation.responses[500] ??= problemAnswer(500);
    operation.responses[503] ??= { ...problemAnswer(503), headers: headers('Retry-After') };
  }
  return document;
}
