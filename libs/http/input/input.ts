import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { UnknownNames } from '#kernel/known.js';
import { type FieldProblem, invalid, notJson, Problem } from '../problems/problem.js';
import { FormBody } from './form-body.js';
import { findUnstorable } from './clean-json.js';
import { keepRules } from './kept-rules.js';
import { type ReadElsewhere, readElsewhere } from './read-elsewhere.js';

keepRules();

type Class = new () => object;
/** Converts a value from the wire to the one that the code uses; returns it unchanged if it cannot. */
export type Reader = (value: unknown) => unknown;

/** What decorators say about the properties of classes, by prototype. */
class Registered<Value> {
  private readonly own = new Map<object, Map<string, Value>>();
  private readonly inherited = new Map<object, [string, Value][]>();

  add(target: object, key: string, value: Value): void {
    this.own.set(target, (this.own.get(target) ?? new Map<string, Value>()).set(key, value));
  }

  /** Those of the class and its ancestors. The result is kept, so ask only when all classes are loaded. */
  of(target: object): [string, Value][] {
    let all = this.inherited.get(target);
    if (!all) this.inherited.set(target, (all = this.allOf(target)));
    return all;
  }

  private allOf(target: object): [string, Value][] {
    const parent = Object.getPrototypeOf(target) as object | null;
    return [...(parent ? this.of(parent) : []), ...(this.own.get(target) ?? [])];
  }
}

const readers = new Registered<Reader>();
const nested = new Registered<() => Class>();

/** Property decorator: reads the property with `reader` before it is validated. */
export const Read =
  (reader: Reader): PropertyDecorator =>
  (target, key) => {
    readers.add(target, key as string, reader);
  };

const gathered = new Registered<true>();

/** Property decorator: query parameters named `property[key]` are the property, an object by key (`deepObject` of OpenAPI). */
export const Gathered = (): PropertyDecorator => (target, key) => gathered.add(target, key as string, true);

/** Property decorator: the property is an object (or an array of objects) of this class. */
export const NestedInput =
  (type: () => Class): PropertyDecorator =>
  (target, key) => {
    nested.add(target, key as string, type);
  };

/**
 * The pipe of the application: validates bodies and queries against their DTO class with class-validator. Unknown fields are
 * refused by name. It makes the instances itself: class-transformer calls whatever a body names `constructor`, and Nest's
 * `ValidationPipe` silently deletes that key from free-form objects.
 */
export class InputPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !isDto(metatype)) return value;
    if (type === 'body') return readInput(metatype, value);
    const { names, problems } = readElsewhere(value);
    return readInput(metatype, gather(metatype, value as object), {
      what: 'query parameter',
      names,
      problems,
    });
  }
}

/** A query with the parameters of each gathered property in one object. */
function gather(type: Class, query: object): object {
  let entries = Object.entries(query) as [string, unknown][];
  for (const [property] of gathered.of(type.prototype as object)) {
    const isOne = ([name]: [string, unknown]) => name.startsWith(`${property}[`) && name.endsWith(']');
    const ones = entries.filter(isOne);
    if (ones.length === 0) continue;
    const byKey = ones.map(([name, value]) => [name.slice(property.length + 1, -1), value]);
    entries = [...entries.filter((one) => !isOne(one)), [property, Object.fromEntries(byKey)]];
  }
  return Object.fromEntries(entries);
}

/** What `readInput` is told of an input beside its fields: what those are called, and what was read of it elsewhere. */
type Source = { what: string } & Partial<ReadElsewhere>;

/** Makes an instance of the DTO class from `value`. Throws a `Problem` naming every wrong field. */
export function readInput<Dto extends object>(
  type: new () => Dto,
  value: unknown,
  { what, names: otherNames = [], problems: otherProblems = [] }: Source = { what: 'field' },
): Dto {
  const source = value === undefined ? {} : value;
  if (Buffer.isBuffer(source) || source instanceof FormBody) throw notJson();
  if (!isPlainObject(source)) throw noObject();
  const problems = [...otherProblems, ...findUnstorable(source)];
  const instance = instantiate(type, source, '', otherNames, {
    problems,
    unknown: new UnknownNames(`is not a known ${what}`),
  });
  problems.push(...flatten(validateSync(instance)));
  if (problems.length > 0) throw invalid(firstOfEach(problems));
  return instance as Dto;
}

/** Items of a list at most: checking the hundreds of thousands that fit into 2 MiB would block everybody else for seconds. */
export const MOST_ITEMS = 1_000;

const tooMany = (field: string): FieldProblem => ({
  field,
  detail: `must not have more than ${MOST_ITEMS} items`,
});

function firstOfEach(problems: FieldProblem[]): FieldProblem[] {
  const named = new Map<string, FieldProblem>();
  for (const problem of problems) if (!named.has(problem.field)) named.set(problem.field, problem);
  return [...named.values()];
}

/** Makes instances from a list of objects. Throws as `readInput`, with the item's index before each field. */
export function readInputs<Dto extends object>(type: new () => Dto, value: unknown): Dto[] {
  if (Buffer.isBuffer(value)) throw notJson();
  if (!Array.isArray(value)) throw invalid([{ field: 'body', detail: 'must be a JSON array' }]);
  if (value.length > MOST_ITEMS) throw invalid([tooMany('body')]);
  const problems: FieldProblem[] = [];
  const inputs = value.map((one: unknown, index) => {
    if (!isPlainObject(one)) {
      problems.push({ field: String(index), detail: 'must be a JSON object' });
      return null;
    }
    try {
      return readInput(type, one);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      for (const { field, detail } of error.extras.errors ?? [])
        problems.push({ field: `${index}.${field}`, detail });
      return null;
    }
  });
  if (problems.length > 0) throw invalid(problems);
  return inputs as Dto[];
}

export const noObject = (): Problem => invalid([{ field: 'body', detail: 'must be a JSON object' }]);

const isDto = (metatype: unknown): metatype is Class =>
  typeof metatype === 'function' && ![Object, String, Number, Boolean, Array].includes(metatype as never);

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const knownFields = new Map<Class, Set<string>>();

function fieldsOf(type: Class): Set<string> {
  let fields = knownFields.get(type);
  if (!fields) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    knownFields.set(type, (fields = new Set(rules.map((rule) => rule.propertyName))));
  }
  return fields;
}

/** What is wrong with an input, as it is found. */
interface Findings {
  problems: FieldProblem[];
  unknown: UnknownNames;
}

/** The names of its fields as a request writes them. */
function namesOf(type: Class): string[] {
  const byKey = new Set(gathered.of(type.prototype as object).map(([property]) => property));
  return [...fieldsOf(type)].map((field) => (byKey.has(field) ? `${field}[key]` : field));
}

function instantiate(
  type: Class,
  source: Record<string, unknown>,
  path: string,
  otherNames: readonly string[],
  findings: Findings,
): object {
  const { problems, unknown } = findings;
  const known = fieldsOf(type);
  const instance = new type() as Record<string, unknown>;
  for (const [key, value] of Object.entries(source)) {
    if (Array.isArray(value) && value.length > MOST_ITEMS) problems.push(tooMany(path + key));
    else if (known.has(key)) instance[key] = value;
    else problems.push({ field: path + key, detail: unknown.detail([...namesOf(type), ...otherNames]) });
  }
  for (const [key, reader] of readers.of(type.prototype as object))
    if (instance[key] !== undefined && instance[key] !== null) instance[key] = reader(instance[key]);
  for (const [key, inner] of nested.of(type.prototype as object)) {
    const make = (one: unknown, at: string) =>
      isPlainObject(one) ? instantiate(inner(), one, `${at}.`, [], findings) : one;
    const value = instance[key];
    if (Array.isArray(value)) instance[key] = value.map((one, index) => make(one, `${path}${key}.${index}`));
    else if (value !== undefined) instance[key] = make(value, path + key);
  }
  return instance;
}

/** A value of the wrong type breaks all other rules, too. */
const TYPES = ['isInt', 'isArray', 'isString', 'instant'];

function flatten(errors: ValidationError[], path = ''): FieldProblem[] {
  return errors.flatMap((error) => [
    ...(error.constraints ? [{ field: path + error.property, detail: said(error.constraints, error) }] : []),
    ...flatten(error.children ?? [], `${path}${error.property}.`),
  ]);
}

/** The message for a field: a wrong type comes before anything else. */
function said(wrong: Record<string, string>, { property, value }: ValidationError): string {
  const message = wrong[TYPES.find((type) => type in wrong) ?? ''] ?? Object.values(wrong)[0]!;
  const detail = message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
  return value === undefined && detail.startsWith('must be') ? `is missing; it ${detail}` : detail;
}
