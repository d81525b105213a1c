import type { OpenAPIObject } from '@nestjs/swagger';
import { WITH_BODY } from '#http/input/bodies.js';
import { MOST_ITEMS } from '#http/input/input.js';
import { operationsOf, resolved, type Schema, type Schemas, schemasOf } from './parts.js';
import { problemAnswer } from '#http/problems/problem.dto.js';

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, object>;
}

/** Documents what can be wrong with a body, even where none is expected, and what `readInput` refuses in any. */
export function describeBodies(document: OpenAPIObject): OpenAPIObject {
  const schemas = schemasOf(document);
  for (const { method, operation } of operationsOf<Operation>(document)) {
    if (!WITH_BODY.has(method.toUpperCase())) continue;
    const { requestBody, responses } = operation;
    for (const status of [413, 415]) responses[status] ??= problemAnswer(status);
    const form = requestBody?.content['multipart/form-data'];
    if (form?.schema.format === 'binary') form.schema = formOf(form.schema);
    const json = requestBody?.content['application/json'];
    if (json) close(json.schema, schemas);
  }
  return document;
}

/** A form with a file alone, whose field may have any name. */
const formOf = (file: Schema): Schema => ({ type: 'object', properties: { file }, required: ['file'] });

/** Declares that this schema and its parts have no fields but those they name, and that lists are limited. */
function close(given: Schema, schemas: Schemas): void {
  const schema = resolved(given, schemas);
  if (schema.properties) schema.additionalProperties ??= false;
  if ([schema.type].flat().includes('array')) schema.maxItems ??= MOST_ITEMS;
  const parts = [
    schema.items ?? [],
    schema.oneOf ?? [],
    schema.allOf ?? [],
    ...Object.values(schema.properties ?? {}),
  ];
  for (const part of parts.flat()) close(part, schemas);
}
