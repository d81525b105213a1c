import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { problemType } from './problem.js';

export class ProblemField {
  /** Path of the field. @example "custom_fields.region" */
  field!: string;
  detail!: string;
}

export class ProblemHint {
  /** @example "GET" */
  method!: string;
  /** A concrete path. */
  route!: string;
}

/** RFC 9457 problem details. */
export class ProblemResponse {
  /** Names the kind of problem. */
  @ApiProperty({ format: 'uri', example: problemType('validation_failed') })
  type!: string;
  /** The code, for people. @example "Validation failed" */
  title!: string;
  /** The HTTP status. @example 400 */
  @ApiProperty({ type: 'integer' })
  status!: number;
  /** One sentence to act on. @example "email: must be an e-mail address" */
  detail!: string;
  /** The path that was called. */
  instance!: string;
  /** Stable word for programs. @example "validation_failed" */
  code!: string;
  /** Also in the header X-Request-Id. */
  request_id!: string;
  /** Every field that is wrong. */
  errors?: ProblemField[];
  /** The route to use instead. */
  hint?: ProblemHint;
}

const MEANING: Record<number, string> = {
  400: 'The request is malformed or breaks a rule; `code` and `errors` say which.',
  401: 'The key is missing, malformed, unknown, revoked or expired.',
  403: 'The key may not do this, the signature is wrong, or the cookie of a session lacks its header.',
  404: 'No such record in this organization, or the organization is not visible to the key.',
  409: 'Another request changed the record at the same moment, or the first one with this `Idempotency-Key` is still running; repeat it.',
  413: 'The body is too large.',
  412: 'The record is at another version than `If-Match` says; read it again.',
  415: 'The media type is not supported.',
  422: 'The `Idempotency-Key` was used for a request with another body.',
  429: 'The key, or the channel, has used up its requests; `Retry-After` says when there are more.',
  500: 'A mistake of the service; `request_id` helps to find it.',
  503: 'The process cannot do its work right now; `Retry-After` says when to ask again.',
};

/** The OpenAPI text of a problem answer. */
export const problemAnswer = (status: number) => ({
  description: MEANING[status] ?? 'Problem',
  content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemResponse) } } },
});

/** Documents the problem answers of a route, beside those every route can give. */
export const ApiProblems = (...statuses: number[]) =>
  applyDecorators(
    ApiExtraModels(ProblemResponse),
    ...statuses.map((status) => ApiResponse({ status, ...problemAnswer(status) })),
  );
