import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './parts.js';

interface Answer {
  content?: Record<string, { example?: { code: string } }>;
}

interface Operation {
  responses: Record<string, Answer | { $ref: string }>;
}

/**
 * Moves each problem to the one set of the document's responses, to which operations refer: most of them can be answered by
 * the same dozen. Where a problem is not quite the same on another surface, each surface has its own.
 */
export function foldProblems(document: OpenAPIObject): OpenAPIObject {
  const shared: Record<string, Answer> = {};
  for (const { path, operation } of operationsOf<Operation>(document))
    for (const [status, response] of Object.entries(operation.responses)) {
      const code = 'content' in response && response.content?.['application/problem+json']?.example?.code;
      if (!code) continue;
      const name = `${surfaceOf(path)}${pascal(code)}`;
      shared[name] ??= response;
      operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
  const names = Object.keys(shared).sort();
  document.components!.responses = Object.fromEntries(names.map((name) => [name, shared[name]!])) as never;
  return document;
}

const SURFACES: Record<string, string> = { api: '', admin: 'Admin', hooks: 'Hook' };

const surfaceOf = (path: string): string => SURFACES[path.split('/')[1]!] ?? 'Open';

const pascal = (code: string): string =>
  code.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
