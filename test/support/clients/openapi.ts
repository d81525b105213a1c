import type { Json, Query } from './answer.js';

export type Document = Json;
export type Schema = Json;

export interface Operation {
  method: string;
  /** With `{parameters}`. */
  path: string;
  spec: Json;
}

/** Every operation of the document, its answers in full. */
export const operationsOf = (document: Document): Operation[] =>
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, spec]) => ({
      method: method.toUpperCase(),
      path,
      spec: { ...spec, responses: answersOf(document, spec) },
    })),
  );

/** The answers of an operation by their status; problems are kept in one place of the document. */
const answersOf = (document: Document, { responses }: Json): Json =>
  Object.fromEntries(
    Object.entries<Json>(responses).map(([status, answer]) => [
      status,
      answer.$ref ? resolved(document, answer.$ref) : answer,
    ]),
  );

/** Whether the operation's body is a list as a whole. */
export const takesList = ({ spec }: Operation): boolean => bodySchema({ spec })?.type === 'array';

/** The named schemas of an operation's body, or of what a body that is a list holds; several where it may be one of them. */
export function bodyRefs({ spec }: Operation): string[] {
  const schema = bodySchema({ spec });
  const options: Schema[] = schema ? (schema.oneOf ?? [schema.items ?? schema]) : [];
  return options.flatMap(({ $ref }) => $ref ?? []);
}

/** Of the operation's body as JSON; undefined when it takes none. */
export const bodySchema = ({ spec }: Pick<Operation, 'spec'>): Schema =>
  spec.requestBody?.content?.['application/json']?.schema;

/** The path with its parameters filled in; one that has no sample gets an id that does not exist. */
export const filled = (path: string, ids: Record<string, string>): string =>
  path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => sampleFor(path, name, ids) ?? `${name.replace(/_id$/, '')}_nowhere`,
  );

/** The files are on a message that was received, the links on one that was sent. */
const sampleFor = (path: string, name: string, ids: Record<string, string>): string | undefined =>
  name === 'message_id' && path.includes('/tracked-links') && ids[name] === ids['received_message_id']
    ? ids['linked_message_id']
    : ids[name];

/** Values for the query parameters that an operation requires. */
export const requiredQuery = ({ spec }: Pick<Operation, 'spec'>): Query => {
  const samples: Query = {
    start_date: '2026-01-01T00:00:00Z',
    end_date: '2026-02-01T00:00:00Z',
    figure: 'salesCreated',
    q: 'grace',
    interval: 'day',
  };
  const required = (spec.parameters ?? []).filter((one: Json) => one.in === 'query' && one.required);
  return Object.fromEntries(required.map(({ name }: Json) => [name, samples[name]]));
};

/** What has to be asked for with this value of a query parameter that `always` does not have; ids from `ids`. */
export function alongWith(
  name: string,
  value: unknown,
  always: Query,
  { status_id, agent_id }: Record<string, string>,
): Query {
  if (name === 'status_id' && 'figure' in always) return { figure: 'pipeline' };
  if (name === 'interval') return { end_date: '2026-01-15T00:00:00Z' };
  if (name !== 'figure') return {};
  if (value === 'pipeline') return { status_id };
  return value === 'conversationsRespondedTo' || value === 'messagesSent' ? { agent_id } : {};
}

/** What `schema` says against `value`, as `path: reason`; nothing when it fits. Attributes it does not name do not fit. */
export function mismatches(document: Document, schema: Schema, value: Json, path = '$'): string[] {
  if (schema.$ref) return mismatches(document, resolved(document, schema.$ref), value, path);
  const alternatives: Schema[] | undefined = schema.oneOf ?? schema.anyOf;
  if (alternatives) {
    const found = alternatives.map((one) => mismatches(document, one, value, path));
    const fitting = found.filter((reasons) => reasons.length === 0).length;
    if (fitting === 0) return found.flat();
    if (schema.oneOf && fitting > 1) return [`${path}: fits more than one`];
    // Beside the alternatives `allOf` holds as well.
  }
  if (schema.allOf) return schema.allOf.flatMap((one: Schema) => mismatches(document, one, value, path));
  if (alternatives) return [];
  const types: string[] = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => hasType(type, value)))
    return [`${path}: is no ${types.join(' or ')}: ${JSON.stringify(value)}`];
  if (value === null) return [];
  if (schema.enum && !schema.enum.includes(value)) return [`${path}: is none of ${schema.enum.join(', ')}`];
  if (schema.format === 'date-time' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(value))
    return [`${path}: is no instant: ${value}`];
  const limit = limitExceeded(schema, value);
  if (limit !== undefined) return [`${path}: is beyond ${limit} ${schema[limit]}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => mismatches(document, schema.items ?? {}, item, `${path}.${index}`));
  if (typeof value !== 'object' || !schema.properties) return [];
  return mismatchesOfObject(document, schema, value, path);
}

function mismatchesOfObject(document: Document, schema: Schema, value: Json, path: string): string[] {
  const missing: string[] = (schema.required ?? []).filter((name: string) => !(name in value));
  return [
    ...missing.map((name) => `${path}.${name}: is missing`),
    ...Object.entries<Json>(value).flatMap(([name, inner]) => {
      const property = schema.properties[name] ?? (schema.additionalProperties ? {} : undefined);
      return property
        ? mismatches(document, property, inner, `${path}.${name}`)
        : [`${path}.${name}: is not documented`];
    }),
  ];
}

/** The limit of the schema that the value does not keep. */
function limitExceeded(schema: Schema, value: Json): string | undefined {
  const unit = typeof value === 'string' ? 'Length' : Array.isArray(value) ? 'Items' : '';
  const [least, most] = unit ? [`min${unit}`, `max${unit}`] : ['minimum', 'maximum'];
  if (schema[least] !== undefined && sizeOf(value) < schema[least]) return least;
  if (schema[most] !== undefined && sizeOf(value) > schema[most]) return most;
  const matches = schema.pattern === undefined || patternOf(schema.pattern).test(value);
  return matches ? undefined : 'pattern';
}

/** A number is its own size; a text has as many characters as JSON Schema counts. */
const sizeOf = (value: Json): number =>
  typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : value;

/** Compiled once each: the document has few, the answers of a run have millions of values. */
const patterns = new Map<string, RegExp>();

function patternOf(text: string): RegExp {
  const known = patterns.get(text) ?? new RegExp(text);
  patterns.set(text, known);
  return known;
}

export const resolved = (document: Document, ref: string): Schema =>
  ref
    .slice(2)
    .split('/')
    .reduce((at, step) => at?.[step], document);

function hasType(type: string, value: Json): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
