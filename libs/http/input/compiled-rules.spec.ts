import { IsArray, IsInt, IsOptional, IsString, validateSync } from 'class-validator';
import fc from 'fast-check';
import { Nested, NonEmptyText, OneOf, Optional, OptionalNullable, Text } from './fields.js';
import { passes } from './compiled-rules.js';

class Line {
  @NonEmptyText()
  title!: string;
  @Optional()
  @IsInt()
  amount?: number;
}

class Order extends Line {
  @OptionalNullable()
  @OneOf('new', 'paid')
  status?: string | null;
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  tags?: string[];
  @Optional()
  @Nested(() => Line)
  first?: Line;
  @OptionalNullable()
  @Nested(() => Line, true)
  lines?: Line[];
}

class Unruled {
  anything?: unknown;
}

const either = (...good: unknown[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.anything() });

const line = fc
  .record({ title: either('a', 'b', ' '), amount: either(1, 0, undefined) })
  .map((fields) => Object.assign(new Line(), fields));

const order = fc
  .record({
    title: either('a', 'b', ''),
    amount: either(1, undefined),
    status: either('new', 'paid', null, undefined, 'lost'),
    tags: either(['a'], [], ['a', 1], undefined, null),
    first: fc.oneof(line, either(undefined, {}, null)),
    lines: fc.oneof(fc.array(fc.oneof({ weight: 5, arbitrary: line }, either(1))), either(undefined, null)),
  })
  .map((fields) => Object.assign(new Order(), fields));

it('passes nothing that class-validator refuses', () => {
  let taken = 0;
  fc.assert(
    fc.property(order, (one) => {
      if (!passes(one)) return;
      taken++;
      expect(validateSync(one)).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
  expect(taken).toBeGreaterThan(100);
});

it('leaves an object without rules to class-validator', () => {
  expect(passes(new Unruled())).toBe(false);
  expect(validateSync(new Unruled())).not.toEqual([]);
});

it('keeps the rules of classes apart that share a parent', () => {
  class Short extends Line {
    @Text(2)
    note!: string;
  }
  expect(passes(Object.assign(new Line(), { title: 'a', note: 'abc' }))).toBe(true);
  expect(passes(Object.assign(new Short(), { title: 'a', note: 'abc' }))).toBe(false);
});
