import { applyDecorators, type Type } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { type Creation, createEach } from '#event-store/creation.js';
import type { EventStore } from '#event-store/event-store.js';
import { UnknownNames } from '#kernel/known.js';
import { noObject, readInput } from '../input/input.js';
import { bodyOf, invalid, toProblem } from '../problems/problem.js';
import { ProblemResponse } from '../problems/problem.dto.js';

const MOST = 200;

/** What became of one item of a batch. */
export interface BatchResult<Shown> {
  index: number;
  status: number;
  record?: Shown;
  problem?: ReturnType<typeof bodyOf>;
}

export interface BatchResponse<Shown> {
  results: BatchResult<Shown>[];
}

/** Plans the creation of a record from its body. Throws as the creation of one does. */
type PlanOf<Body, Shown> = (body: Body) => Promise<Creation<Shown>>;

/**
 * Creates a record for each item of a batch, each decided alone. `url` is the path that was called. Throws a 400 for a body that is
 * no batch.
 */
export async function createBatch<Body extends object, Shown extends object>(
  store: EventStore,
  context: Context,
  url: string,
  batch: unknown,
  bodyOfOne: new () => Body,
  plan: PlanOf<Body, Shown>,
): Promise<BatchResponse<Shown>> {
  const planned: (Creation<Shown> | Error)[] = [];
  for (const item of itemsOf(batch)) {
    try {
      planned.push(await plan(readInput(bodyOfOne, item)));
    } catch (error) {
      planned.push(error as Error);
    }
  }
  const made = await createEach(store, context, planned);
  const results = made.map((one, index): BatchResult<Shown> => {
    if (!(one instanceof Error)) return { index, status: 201, record: one };
    const problem = toProblem(one);
    if (problem.status >= 500) throw one;
    return { index, status: problem.status, problem: bodyOf(problem, { id: context.requestId ?? '', url }) };
  });
  return { results };
}

function itemsOf(batch: unknown): unknown[] {
  if (typeof batch !== 'object' || batch === null || Array.isArray(batch)) throw noObject();
  const unknown = Object.keys(batch).filter((field) => field !== 'items');
  const names = new UnknownNames('is not a known field');
  if (unknown.length > 0) throw invalid(unknown.map((field) => ({ field, detail: names.detail(['items']) })));
  const { items } = batch as { items?: unknown };
  if (!Array.isArray(items) || items.length === 0 || items.length > MOST)
    throw invalid([{ field: 'items', detail: `must be an array of 1 to ${MOST} items` }]);
  return items;
}

/** Documents a route that creates a record for each item of its body. */
export const ApiBatch = (bodyOfOne: Type, record: Type) =>
  applyDecorators(
    ApiExtraModels(bodyOfOne, record, ProblemResponse),
    ApiBody({
      schema: {
        type: 'object',
        required: ['items'],
        properties: {
          items: { type: 'array', minItems: 1, maxItems: MOST, items: { $ref: getSchemaPath(bodyOfOne) } },
        },
      },
    }),
    ApiOkResponse({
      schema: {
        type: 'object',
        required: ['results'],
        properties: {
          results: {
            type: 'array',
            description: 'One for each item, in their order.',
            items: {
              type: 'object',
              required: ['index', 'status'],
              properties: {
                index: { type: 'integer', description: 'The place of the item, from 0.' },
                status: { type: 'integer', description: 'The status that it would have had alone.' },
                record: { allOf: [{ $ref: getSchemaPath(record) }], description: 'What was created.' },
                problem: { allOf: [{ $ref: getSchemaPath(ProblemResponse) }], description: 'Why not.' },
              },
            },
          },
        },
      },
    }),
  );
