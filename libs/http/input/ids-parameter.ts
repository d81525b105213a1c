import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { rule } from './fields.js';
import { MOST_ITEMS, Read } from './input.js';

/** Ids are shorter by far. */
const LONGEST = 1_000;

/**
 * Ids in a query: the parameter may be given more than once, or with ids separated by commas. The property is an array, with each
 * of them once.
 */
export const IdsParameter = () =>
  applyDecorators(
    Read((value) => {
      const given: unknown[] = [value].flat();
      const ids = given.flatMap((one) =>
        typeof one === 'string' ? one.split(',').map((id) => id.trim()) : one,
      );
      return [...new Set(ids)];
    }),
    rule(
      'ids',
      (value) =>
        Array.isArray(value) &&
        value.length <= MOST_ITEMS &&
        value.every((one) => typeof one === 'string' && one !== '' && one.length <= LONGEST),
      'must be ids, separated by commas',
    ),
    ApiProperty({
      type: 'array',
      minItems: 1,
      maxItems: MOST_ITEMS,
      items: { type: 'string', maxLength: LONGEST },
    }),
  );
