import type { OpenAPIObject } from '@nestjs/swagger';

/** As much of a JSON schema as is looked at where the document is completed. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  example?: unknown;
  enum?: unknown[];
  minimum?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: Schema;
  oneOf?: Schema[];
  allOf?: Schema[];
}

export type Schemas = Record<string, Schema>;

/** The named schemas of a document. */
export const schemasOf = ({ components }: OpenAPIObject): Schemas => components?.schemas ?? {};

/** The schema that this one refers to; itself when it refers to none. */
export const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!]!;

/** Each operation of a document, seen as what the caller looks at, with its path and its method in lower case. */
export function operationsOf<Operation>(
  document: OpenAPIObject,
): { path: string; method: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );
}
