import { type ArgumentMetadata, type PipeTransform, RequestMethod } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { type FieldProblem, invalid, notJson, Problem } from './problem.js';
import { FormBody } from './form-body.js';
import { findUnstorable } from './clean-json.js';
import { passes } from './quick-check.js';
import type { Route } from './routes.js';

type Class = new () => object;
/** Turns what came over the wire into the value the code works with; gives it back unchanged when it cannot. */
export type Reader = (value: unknown) => unknown;

/** What property decorators say of the properties of classes, by their prototypes. */
class Registered<Value> {
  private readonly own = new Map<object, Map<string, Value>>();
  private readonly inherited = new Map<object, [string, Value][]>();

  add(target: object, key: string, value: Value): void {
    this.own.set(target, (this.own.get(target) ?? new Map<string, Value>()).set(key, value));
  }

  /** Those of the class and of what it extends. To be asked when all classes are there, since it is found out only once. */
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

/** Property decorator: the property is an object (or an array of objects) of this class. */
export const NestedInput =
  (type: () => Class): PropertyDecorator =>
  (target, key) => {
    nested.add(target, key as string, type);
  };

/**
 * Validates bodies and queries against their DTO class with class-validator. Unknown fields are refused by name.
 * Instances are made here and not by class-transformer, which calls whatever a body names `constructor`.
 */
class InputPipe implements PipeTransform {
  /** `needsBody`: without one nothing would be asked for, which nobody means. */
  constructor(private readonly needsBody: boolean) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (value === undefined && this.needsBody && type === 'body') throw noObject();
    return isDto(metatype)
      ? readInput(metatype, value, type === 'query' ? 'query parameter' : 'field')
      : value;
  }
}

/** Has all bodies and queries of these routes validated, and nothing else: a pipe costs every value that it is asked about. */
export function validateInput(routes: Route[]): void {
  const [pipe, patchPipe] = [new InputPipe(false), new InputPipe(true)];
  for (const route of routes)
    for (const kind of [RouteParamtypes.BODY, RouteParamtypes.QUERY])
      for (const parameter of route.parameters(kind))
        parameter.pipes = [route.method === RequestMethod.PATCH ? patchPipe : pipe, ...parameter.pipes];
}

/** An instance of the DTO class with the values of `value`. Throws a `Problem` naming every field that is wrong. */
export function readInput<Dto extends object>(type: new () => Dto, value: unknown, what = 'field'): Dto {
  const source = value === undefined ? {} : value;
  if (Buffer.isBuffer(source) || source instanceof FormBody) throw notJson();
  if (!isPlainObject(source)) throw noObject();
  const problems = findUnstorable(source);
  const instance = instantiate(type, source, '', problems, what);
  const all = passes(instance) ? problems : problems.concat(flatten(validateSync(instance)));
  if (all.length > 0) throw invalid(firstOfEach(all));
  return instance as Dto;
}

/** Items of a list: to look at the hundreds of thousands that 2 MiB can hold would hold up everybody else for seconds. */
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

/** Instances for a body that is a list of objects; throws as `readInput`, each field after the index of its item. */
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

const noObject = (): Problem => invalid([{ field: 'body', detail: 'must be a JSON object' }]);

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

function instantiate(
  type: Class,
  source: Record<string, unknown>,
  path: string,
  problems: FieldProblem[],
  what: string,
): object {
  const known = fieldsOf(type);
  const instance = new type() as Record<string, unknown>;
  for (const [key, value] of Object.entries(source)) {
    if (Array.isArray(value) && value.length > MOST_ITEMS) problems.push(tooMany(path + key));
    else if (known.has(key)) instance[key] = value;
    else problems.push({ field: path + key, detail: `is not a known ${what}` });
  }
  for (const [key, reader] of readers.of(type.prototype as object))
    if (instance[key] !== undefined && instance[key] !== null) instance[key] = reader(instance[key]);
  for (const [key, inner] of nested.of(type.prototype as object)) {
    const make = (one: unknown, at: string) =>
      isPlainObject(one) ? instantiate(inner(), one, `${at}.`, problems, what) : one;
    const value = instance[key];
    if (Array.isArray(value)) instance[key] = value.map((one, index) => make(one, `${path}${key}.${index}`));
    else if (value !== undefined) instance[key] = make(value, path + key);
  }
  return instance;
}

/** What is of another type breaks every limit as well. */
const TYPES = ['isInt', 'isArray', 'isString'];

/** What is said of a field: of all that is wrong with it, first that it is of another type. */
const said = (wrong: Record<string, string>): string | undefined =>
  wrong[TYPES.find((type) => type in wrong) ?? ''] ?? Object.values(wrong)[0];

function flatten(errors: ValidationError[], path = ''): FieldProblem[] {
  return errors.flatMap(({ property, constraints, children }) => [
    ...[said(constraints ?? {})]
      .filter((detail) => detail !== undefined)
      .map((detail) => ({ field: path + property, detail: detail.replace(new RegExp(`^${property} `), '') })),
    ...flatten(children ?? [], `${path}${property}.`),
  ]);
}
