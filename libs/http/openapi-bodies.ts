import type { OpenAPIObject } from '@nestjs/swagger';
import { WITH_BODY } from './bodies.js';
import { MOST_ITEMS } from './input.js';
import { problemAnswer } from './problem.dto.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  maxItems?: number;
  items?: Schema;
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, object>;
}

/** Documents what can be wrong with a body, also where none is wanted, and what `readInput` refuses of any. */
export function describeBodies(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const methods of Object.values(document.paths))
    for (const [method, { requestBody, responses }] of Object.entries(methods) as [string, Operation][]) {
      if (!WITH_BODY.has(method.toUpperCase())) continue;
      for (const status of [413, 415]) responses[status] ??= problemAnswer(status);
      const json = requestBody?.content['application/json'];
      if (json) close(json.schema, schemas);
    }
  return document;
}

/** Says of this schema, and of those it consists of, that it has the fields it names and no other, and lists an end. */
function close(schema: Schema, schemas: Record<string, Schema>): void {
  if (schema.$ref !== undefined) return close(schemas[schema.$ref.split('/').at(-1)!]!, schemas);
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
