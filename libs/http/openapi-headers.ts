import type { OpenAPIObject } from '@nestjs/swagger';
import { problemAnswer } from './problem.dto.js';

interface Operation {
  parameters?: object[];
  responses: Record<string, { description: string; headers?: Record<string, object> }>;
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A word of your choice, such as a UUID, that names this request. For 24 hours a repeat with the same body is not ' +
    'carried out again and gets the same answer, with `Idempotency-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '6f1c0d3e-5b0a-4c57-9d56-2f3f7d6c1a10',
};

const REPLAYED = {
  description: 'There, with the value `true`, when this is the answer to an earlier request.',
  schema: { type: 'string', enum: ['true'] },
};

/** Documents the headers that libs/http takes and gives on whole groups of routes. */
export function describeHeaders(document: OpenAPIObject): OpenAPIObject {
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!path.startsWith('/api/')) continue;
    for (const [method, operation] of Object.entries(methods) as [string, Operation][])
      if (method === 'post' || method === 'patch') describeIdempotency(operation);
  }
  return document;
}

function describeIdempotency(operation: Operation): void {
  (operation.parameters ??= []).push(IDEMPOTENCY_KEY);
  giveHeader(operation, 'Idempotency-Replayed', REPLAYED);
  for (const status of [409, 422]) operation.responses[status] ??= problemAnswer(status);
}

/** The header on every success of the operation. */
function giveHeader({ responses }: Operation, name: string, header: object): void {
  for (const [status, response] of Object.entries(responses))
    if (status.startsWith('2')) (response.headers ??= {})[name] = header;
}
