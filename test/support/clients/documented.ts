import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Json } from './answer.js';
import { type Document, mismatches, type Operation, operationsOf, type Schema } from './openapi.js';

interface Known extends Operation {
  pattern: RegExp;
}

/** As it is committed; a test holds it against what is served. */
const document: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
);

let known: Known[] | undefined;

/** Paths with a constant where others have a parameter come first, as in the router. */
const knownOperations = (): Known[] =>
  (known ??= operationsOf(document)
    .map((operation) => ({ ...operation, pattern: patternOf(operation.path) }))
    .sort((one, other) => parametersOf(one.path) - parametersOf(other.path)));

/** What Node's own parser answers, whatever the route. */
const BEFORE_ROUTES = new Set([408, 431]);

/** Throws unless the document says that the operation may be answered like this. Of paths that it does not know it says nothing. */
export function requireDocumented(method: string, path: string, answer: Answer): void {
  const route = knownOperations().find(({ pattern }) => pattern.test(path));
  const operation = knownOperations().find((one) => one.method === method && one.path === route?.path);
  if (!operation || BEFORE_ROUTES.has(answer.status)) return;
  const faults = faultsOf(operation.spec.responses[answer.status], answer);
  if (faults.length > 0)
    throw new Error(`${method} ${operation.path} ${answer.status}: ${faults.join('; ')}\n${answer.text}`);
}

function faultsOf(documented: Json, { headers, body, text }: Answer): string[] {
  if (!documented) return ['the status is not documented'];
  if (text === '') return [];
  const type = (headers.get('content-type') ?? '').split(';')[0]!;
  const content: Record<string, { schema: Schema }> = documented.content ?? {};
  const schema = (content[type] ?? content['application/octet-stream'])?.schema;
  if (!schema) return [`the type ${type} is not documented`];
  return schema.format === 'binary' ? [] : mismatches(document, schema, body ?? text);
}

function patternOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^$|()[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{\w+\}/g, '[^/]+')}/?$`);
}

const parametersOf = (path: string): number => path.split('{').length;
