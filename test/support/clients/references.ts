import { bodySchema, type Document, type Operation, resolved, type Schema } from './openapi.js';

/** A place in what a request sends where the id of a record goes. */
export interface Reference {
  place: 'query' | 'body';
  /** Names of fields, from the outermost; 0 is an item of a list. */
  path: (string | 0)[];
  /** Whose id goes there, by the name of its path parameter. */
  kind: string;
}

/** Fields that hold an id of the kind that is not their name. */
const KINDS: Record<string, string> = {
  file_ids: 'file_id',
  mentioned_agent_ids: 'agent_id',
  owner_id: 'agent_id',
  // The tags to give to a record.
  add: 'tag_id',
  add_tag_ids: 'tag_id',
  remove_tag_ids: 'tag_id',
  conversation_ids: 'conversation_id',
  // Of any record; one of them stands for all.
  record_id: 'conversation_id',
};

/** Ids that are not ours, of which there is nothing to find. */
const OTHERS_IDS = new Set(['external_id', 'email_message_id', 'request_id']);

/** Every id that the operation takes in its query or body. */
export function referencesIn(document: Document, operation: Operation): Reference[] {
  const inQuery = (operation.spec.parameters ?? [])
    .filter((one: { in: string }) => one.in === 'query')
    .flatMap(({ name, schema }: { name: string; schema: Schema }) => inSchema(document, schema, [name]))
    .map((reference: Omit<Reference, 'place'>) => ({ place: 'query', ...reference }));
  const inBody = inSchema(document, bodySchema(operation) ?? {}, []).map((one) => ({
    place: 'body',
    ...one,
  }));
  return [...inQuery, ...inBody];
}

function inSchema(document: Document, given: Schema, path: Reference['path']): Omit<Reference, 'place'>[] {
  const schema: Schema = given.$ref ? resolved(document, given.$ref) : given;
  const name = path.findLast((step) => step !== 0);
  const parts: Schema[] = schema.allOf ?? schema.oneOf ?? schema.anyOf ?? [];
  if (parts.length > 0) return parts.flatMap((part) => inSchema(document, part, path));
  if (schema.items) return inSchema(document, schema.items, [...path, 0]);
  if (schema.properties)
    return Object.entries<Schema>(schema.properties).flatMap(([field, property]) =>
      inSchema(document, property, [...path, field]),
    );
  const isId = typeof name === 'string' && (/_ids?$/.test(name) || name in KINDS) && !OTHERS_IDS.has(name);
  return isId ? [{ path, kind: KINDS[name] ?? name }] : [];
}
