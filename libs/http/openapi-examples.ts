import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  example?: unknown;
  enum?: unknown[];
  minimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
}

const INSTANT = '2026-12-01T09:00:00Z';

/** Gives every JSON body without an example one that is put together from those of its fields. */
export function describeExamples(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const methods of Object.values(document.paths))
    for (const { requestBody } of Object.values(methods) as Operation[]) {
      const json = requestBody?.content['application/json'];
      if (json) json.example ??= exampleOf(json.schema, schemas);
    }
  return document;
}

/** What the schema requires, and what else its fields have examples of; undefined where that is nothing. */
function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) return exampleOf(schemas[schema.$ref.split('/').at(-1)!]!, schemas);
  const [part] = schema.oneOf ?? schema.allOf ?? [];
  if (part) return exampleOf(part, schemas);
  if (schema.items) {
    const item = exampleOf(schema.items, schemas);
    return item === undefined ? undefined : [item];
  }
  return schema.properties && exampleOfObject(schema, schemas);
}

function exampleOfObject({ properties, required = [] }: Schema, schemas: Record<string, Schema>): unknown {
  const fields = Object.entries(properties!).flatMap(([name, property]): [string, unknown][] => {
    const example =
      exampleOf(property, schemas) ?? (required.includes(name) ? someValueOf(property) : undefined);
    return example === undefined ? [] : [[name, example]];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

/** Some value for a required field that has no example. */
function someValueOf({ type, format, enum: words, minimum }: Schema): unknown {
  if (words) return words[0];
  if (format === 'date-time') return INSTANT;
  const [kind] = [type].flat();
  return { string: 'x', integer: minimum ?? 1, number: 1, boolean: true, array: [], object: {} }[
    kind ?? 'object'
  ];
}
