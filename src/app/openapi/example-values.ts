import type { OpenAPIObject } from '@nestjs/swagger';
import { recordOfPrefix } from './ids.js';
import { operationsOf } from './parts.js';

/** Values by the names of parameters, such as `contact_id`. */
export type Values = Record<string, string>;

/** Gives what the examples of the document can really name; nothing where no data is there to be tried out. */
export class ExampleValues {
  find: () => Promise<Values> = () => Promise.resolve({});
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/** The document with these values in the examples of what every request needs, and in those of bodies. */
export function withValues(document: OpenAPIObject, values: Values): OpenAPIObject {
  const filled = JSON.parse(JSON.stringify(document)) as OpenAPIObject;
  for (const { path, operation } of operationsOf<Operation>(filled)) {
    // A delivery is one that has failed, not any draft.
    const isKnown = (name: string) => name in values && !path.startsWith('/admin/v1/deliveries/');
    for (const parameter of operation.parameters ?? [])
      if (parameter.required && isKnown(parameter.name)) parameter.example = values[parameter.name];
    for (const media of Object.values(operation.requestBody?.content ?? {}))
      if (media.example !== undefined) media.example = withIds(media.example, values);
  }
  return filled;
}

/** An example with the ids of nobody replaced by those of records that are there, and of others where two are merged. */
const withIds = (example: unknown, values: Values): unknown =>
  JSON.parse(
    JSON.stringify(example).replace(
      /"([a-z]+)_01[0-9a-z]{24}"/g,
      (id, prefix: string) => JSON.stringify(values[`${recordOfPrefix(prefix)}_id`]) ?? id,
    ),
    (field: string, value: unknown) => (field.startsWith('from_') && values[field]) || value,
  );
