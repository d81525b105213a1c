import type { OpenAPIObject } from '@nestjs/swagger';
import { FIELDS, PATH_PARAMETERS, TAGS } from './glossary.js';
import { operationsOf } from './parts.js';

const RESPONSES: Record<string, string> = {
  200: 'Done.',
  201: 'Created.',
  204: 'Done; there is nothing to show.',
};

interface Described {
  description?: string;
  $ref?: string;
}

interface Operation extends Described {
  summary?: string;
  tags?: string[];
  parameters?: (Described & { name: string; in: string })[];
  responses?: Record<string, Described>;
}

/** Gives tags, operations, fields, parameters and answers without a description the one of their term. */
export function describeTerms(document: OpenAPIObject): void {
  const used = new Set<string>();
  for (const schema of Object.values(document.components?.schemas ?? {}))
    for (const [name, property] of Object.entries(
      (schema as { properties?: Record<string, Described> }).properties ?? {},
    ))
      describe(property, FIELDS[name]);
  for (const { operation } of operationsOf<Operation>(document)) {
    summarise(operation);
    for (const tag of operation.tags ?? []) used.add(tag);
    for (const parameter of operation.parameters ?? [])
      describe(parameter, (parameter.in === 'path' ? PATH_PARAMETERS : FIELDS)[parameter.name]);
    for (const [status, response] of Object.entries(operation.responses ?? {}))
      describe(response, RESPONSES[status]);
  }
  document.tags = Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}

/**
 * A route's first paragraph is its summary, the others are its description, for which the summary stands in if there are
 * none.
 */
function summarise(operation: Operation): void {
  const [first, ...rest] = (operation.summary ?? '')
    .split(/\n{2,}/)
    .map((text) => text.replaceAll('\n', ' '));
  operation.summary = first!;
  describe(operation, rest.length > 0 ? rest.join('\n\n') : first);
}

function describe(item: Described, description: string | undefined): void {
  if (description !== undefined && !item.description) item.description = description;
}
