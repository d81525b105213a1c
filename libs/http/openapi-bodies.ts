import type { OpenAPIObject } from '@nestjs/swagger';
import { WITH_BODY } from './bodies.js';
import { MOST_ITEMS } from './input.js';
import { operationsOf, resolved, type Schema, type Schemas, schemasOf } from './openapi-parts.js';
import { problemAnswer } from './problem.dto.js';

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, object>;
}

/** Documents what can be wrong with a body, also where none is wanted, and what `readInput` refuses of any. */
export function describeBodies(document: OpenAPIObject): OpenAPIObject {
  const schemas = schemasOf(document);
  for (const { method, operation } of operationsOf<Operation>(document)) {
    if (!WITH_BODY.has(method.toUpperCase())) continue;
    const { requestBody, responses } = operation;
    for (const status of [413, 415]) responses[status] ??= problemAnswer(status);
    const json = requestBody?.content['application/json'];
    if (json) close(json.schema, schemas);
  }
  return document;
}

/** Says of this schema, and of those it consists of, that it has the fields it names and no other, and lists an end. */
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
