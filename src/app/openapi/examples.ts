import type { OpenAPIObject } from '@nestjs/swagger';
import { exampleWord } from './ids.js';
import { operationsOf, resolved, type Schema, type Schemas, schemasOf } from './parts.js';

interface Operation {
  parameters?: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
}

const INSTANT = '2026-12-01T09:00:00Z';

/**
 * Gives every JSON body without an example one made from the examples of its fields, and words in paths one, too. Ids in
 * paths have none: one that nobody has is worse than none where requests are tried out.
 */
export function describeExamples(document: OpenAPIObject): OpenAPIObject {
  const schemas = schemasOf(document);
  for (const { operation } of operationsOf<Operation>(document)) {
    const json = operation.requestBody?.content['application/json'];
    if (json) json.example ??= exampleOf(json.schema, schemas);
    for (const parameter of operation.parameters ?? [])
      if (parameter.in === 'path') parameter.example ??= exampleWord(parameter.name);
  }
  return document;
}

/** The required fields, and others that have examples; undefined if there are none. */
function exampleOf(given: Schema, schemas: Schemas): unknown {
  const schema = resolved(given, schemas);
  if (schema.example !== undefined) return schema.example;
  const [part] = schema.oneOf ?? schema.allOf ?? [];
  if (part) return exampleOf(part, schemas);
  if (schema.items) {
    const item = exampleOf(schema.items, schemas);
    return item === undefined ? undefined : [item];
  }
  return schema.properties && exampleOfObject(schema, schemas);
}

function exampleOfObject({ properties, required = [] }: Schema, schemas: Schemas): unknown {
  const fields = Object.entries(properties!).flatMap(([name, property]): [string, unknown][] => {
    const example =
      exampleOf(property, schemas) ?? (required.includes(name) ? someValueOf(property) : undefined);
    return example === undefined ? [] : [[name, example]];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

/** A value for a required field without an example. */
function someValueOf({ type, format, enum: words, minimum }: Schema): unknown {
  if (words) return words[0];
  if (format === 'date-time') return INSTANT;
  const [kind] = [type].flat();
  return { string: 'x', integer: minimum ?? 1, number: 1, boolean: true, array: [], object: {} }[
    kind ?? 'object'
  ];
}
