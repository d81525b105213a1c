import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './parts.js';

interface Operation {
  parameters?: { name: string; in: string }[];
}

/** Describes all parameters of paths, in their order. A handler may leave one to its context, and then declares none. */
export function describePathParameters(document: OpenAPIObject): void {
  for (const { path, operation } of operationsOf<Operation>(document)) {
    const declared = operation.parameters ?? [];
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(
      ([, name]) => declared.find((one) => one.in === 'path' && one.name === name) ?? pathParameter(name!),
    );
    operation.parameters = [...inPath, ...declared.filter((one) => one.in !== 'path')];
  }
}

const pathParameter = (name: string) => ({ name, required: true, in: 'path', schema: { type: 'string' } });
