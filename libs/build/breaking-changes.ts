/** The part of an OpenAPI 3.1 document that is compared. */
export interface ApiDocument {
  paths: Record<string, Record<string, unknown>>;
  components?: { schemas?: Record<string, unknown>; responses?: Record<string, unknown> };
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Answer>;
  security?: Record<string, unknown>[];
}

interface Answer {
  $ref?: string;
  content?: Content;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

type Content = Record<string, { schema?: Schema }>;

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  [limit: string]: unknown;
}

/** What clients send must stay accepted; what they read must stay available. */
type Direction = 'sent' | 'answered';

const UPPER = ['maximum', 'maxLength', 'maxItems'];
const LOWER = ['minimum', 'minLength', 'minItems'];

/** What in `after` breaks clients written for `before`, one sentence each; nothing for additions. */
export function breakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  const comparison = new Comparison(before, after);
  for (const [path, methods] of Object.entries(before.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (now === undefined) comparison.found.add(`${name} is gone`);
      else comparison.compareOperations(name, operation as Operation, now as Operation);
    }
  return [...comparison.found];
}

class Comparison {
  readonly found = new Set<string>();
  /** Named schemas compared, or being compared: they may contain themselves, and each is reported once. */
  private readonly compared = new Set<string>();

  constructor(
    private readonly before: ApiDocument,
    private readonly after: ApiDocument,
  ) {}

  compareOperations(name: string, before: Operation, after: Operation): void {
    this.compareSecurity(name, before, after);
    this.compareParameters(name, before.parameters ?? [], after.parameters ?? []);
    this.compareBodies(name, before, after);
    for (const [status, answer] of Object.entries(before.responses)) {
      const at = `${name} ${status}`;
      const now = after.responses[status];
      if (!now && /^[23]/.test(status)) this.found.add(`${at} is not answered any more`);
      const { content = {} } = answered(this.before, answer);
      if (now) this.compareContents(at, content, answered(this.after, now).content ?? {}, 'answered');
    }
  }

  private compareSecurity(name: string, { security: before = [] }: Operation, after: Operation): void {
    const schemes = before.map((one) => Object.keys(one).join());
    const added = (after.security ?? []).some((one) => !schemes.includes(Object.keys(one).join()));
    if (added) this.found.add(`${name} asks for another key`);
  }

  private compareParameters(name: string, before: Parameter[], after: Parameter[]): void {
    const nowOf = (one: Parameter) => after.find((other) => other.in === one.in && other.name === one.name);
    for (const one of before) {
      const at = `${name} ?${one.name}`;
      const now = nowOf(one);
      if (!now) this.found.add(`${at} is not taken any more`);
      else if (now.required && !one.required) this.found.add(`${at} is required now`);
      if (now) this.compareSchemas(at, one.schema, now.schema, 'sent');
    }
    for (const { name: added, in: place, required } of after)
      if (required && !before.some((one) => one.in === place && one.name === added))
        this.found.add(`${name} ?${added} is required now`);
  }

  private compareBodies(name: string, { requestBody: before }: Operation, { requestBody: after }: Operation) {
    if (before && !after) this.found.add(`${name} takes no body any more`);
    if (after?.required && !before?.required) this.found.add(`${name} requires a body now`);
    if (before && after) this.compareContents(`${name} body`, before.content, after.content, 'sent');
  }

  private compareContents(at: string, before: Content, after: Content, direction: Direction): void {
    for (const [type, { schema }] of Object.entries(before))
      if (!after[type]) this.found.add(`${at} is not ${type} any more`);
      else this.compareSchemas(at, schema, after[type].schema, direction);
  }

  private compareSchemas(at: string, one: Schema = {}, other: Schema = {}, direction: Direction): void {
    const [name, now] = [nameOf(one), nameOf(other)];
    if (name !== undefined && now !== undefined) {
      const key = `${direction} ${name} ${now}`;
      if (this.compared.has(key)) return;
      this.compared.add(key);
    }
    const place = name ?? at;
    const [before, after] = [resolved(this.before, one), resolved(this.after, other)];
    this.compareTypes(place, before, after, direction);
    this.compareValues(place, before, after, direction);
    if (direction === 'sent') this.compareLimits(place, before, after);
    if (before.properties) this.compareProperties(place, before, after, direction);
    if (before.items && after.items) this.compareSchemas(`${place}[]`, before.items, after.items, direction);
    for (const kind of ['oneOf', 'anyOf', 'allOf'] as const)
      this.compareAlternatives(place, before[kind] ?? [], after[kind] ?? [], direction);
  }

  private compareTypes(at: string, before: Schema, after: Schema, direction: Direction): void {
    const [old, now] = [typesOf(before), typesOf(after)];
    const [narrow, wide] = direction === 'sent' ? [now, old] : [old, now];
    // An integer is a number, too.
    const admits = (type: string) =>
      narrow.includes(type) || (type === 'integer' && narrow.includes('number'));
    const lost = wide.filter((type) => !admits(type));
    if (narrow.length > 0 && (lost.length > 0 || wide.length === 0))
      this.found.add(
        direction === 'sent'
          ? `${at} may not be ${lost.join(' or ') || 'anything'} any more`
          : `${at} may be ${lost.join(' or ') || 'anything'} now`,
      );
    if (before.format !== after.format && (direction === 'answered' ? before.format : after.format))
      this.found.add(`${at} is of the format ${after.format ?? 'none'} now`);
  }

  private compareValues(at: string, before: Schema, after: Schema, direction: Direction): void {
    if (!before.enum && after.enum && direction === 'sent') this.found.add(`${at} takes certain values only`);
    if (before.enum && !after.enum && direction === 'answered') this.found.add(`${at} may be any value now`);
    for (const value of before.enum ?? [])
      if (after.enum && !after.enum.includes(value))
        this.found.add(`${at} is never ${JSON.stringify(value)} any more`);
  }

  private compareLimits(at: string, before: Schema, after: Schema): void {
    const limit = (schema: Schema, name: string, none: number) => Number(schema[name] ?? none);
    for (const name of UPPER)
      if (limit(after, name, Infinity) < limit(before, name, Infinity))
        this.found.add(`${at} has a ${name} of ${limit(after, name, 0)} now`);
    for (const name of LOWER)
      if (limit(after, name, -Infinity) > limit(before, name, -Infinity))
        this.found.add(`${at} has a ${name} of ${limit(after, name, 0)} now`);
    if (after.pattern !== undefined && after.pattern !== before.pattern)
      this.found.add(`${at} must match ${after.pattern} now`);
    if (before.additionalProperties && !after.additionalProperties && after.properties)
      this.found.add(`${at} takes no further fields any more`);
  }

  private compareProperties(at: string, before: Schema, after: Schema, direction: Direction): void {
    for (const [name, property] of Object.entries(before.properties ?? {})) {
      const now = after.properties?.[name];
      if (now) this.compareSchemas(`${at}.${name}`, property, now, direction);
      else if (!after.additionalProperties) this.found.add(`${at}.${name} is gone`);
    }
    const [old, now] = [before.required ?? [], after.required ?? []];
    if (direction === 'sent')
      for (const name of now.filter((one) => !old.includes(one)))
        this.found.add(`${at}.${name} is required now`);
    else
      for (const name of old.filter((one) => !now.includes(one) && after.properties?.[one]))
        this.found.add(`${at}.${name} may be missing now`);
  }

  private compareAlternatives(at: string, before: Schema[], after: Schema[], direction: Direction): void {
    const nowOf = (one: Schema, index: number) =>
      one.$ref ? after.find(({ $ref }) => $ref === one.$ref) : after[index];
    before.forEach((one, index) => {
      const now = nowOf(one, index);
      if (now) this.compareSchemas(`${at}|${index}`, one, now, direction);
      else if (after.length > 0 || direction === 'sent')
        this.found.add(`${at} is never ${nameOf(one) ?? `alternative ${index}`} any more`);
    });
  }
}

const nameOf = ({ $ref }: { $ref?: string }): string | undefined => $ref?.split('/').at(-1);

function resolved({ components }: ApiDocument, schema: Schema): Schema {
  const name = nameOf(schema);
  return name === undefined ? schema : ((components?.schemas?.[name] ?? {}) as Schema);
}

/** The answer that this one refers to, or itself. */
function answered({ components }: ApiDocument, answer: Answer): Answer {
  const name = nameOf(answer);
  return name === undefined ? answer : (components?.responses?.[name] ?? {});
}

const typesOf = ({ type }: Schema): string[] => [type ?? []].flat();
