import type { OpenAPIObject } from '@nestjs/swagger';

/** The part of a JSON schema that completing the document looks at. */
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

/** The schema that this one refers to, or itself. */
export const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!]!;

/** All operations of a document, typed as the caller wishes, with path and lower-case method. */
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
