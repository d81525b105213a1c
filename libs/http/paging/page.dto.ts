import { ValidateBy } from 'class-validator';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { InstantField, IntegerParameter, Optional, Text } from '../input/fields.js';

const LARGEST_PAGE = 200;

/** Query of every list. */
export class PageQuery {
  /** Number of items to return, 1 to 200; 50 when left out. */
  @Optional()
  @IntegerParameter(1, LARGEST_PAGE)
  @ApiProperty({ default: 50 })
  limit?: number;

  /** `next_cursor` of a previous answer of the same list with the same filters. */
  @Optional()
  @Text()
  cursor?: string;
}

/** The instant must be after the same object's `start_date`. */
export const IsAfterStart = () =>
  ValidateBy(
    {
      name: 'isAfterStart',
      validator: {
        validate: (end, args) => {
          const { start_date: start } = args!.object as { start_date?: string };
          return typeof end !== 'string' || typeof start !== 'string' || start < end;
        },
      },
    },
    { message: 'must be after start_date' },
  );

/** Query of lists that can be narrowed to a time window on their sort key. */
export class DatedPageQuery extends PageQuery {
  /** Only items at or after this instant. */
  @Optional()
  @InstantField()
  start_date?: string;

  /** Only items before this instant. */
  @Optional()
  @InstantField()
  @IsAfterStart()
  end_date?: string;
}

/** A page of a list that tells what has changed. */
export class UpdatedPageQuery extends DatedPageQuery {
  /**
   * Only items that have changed at or after this instant, in the order of `updated_at`. To keep a copy in step, go on from the last
   * `updated_at` that you got: nothing is missed, and what changes meanwhile comes again. What is deleted or merged is in the feed.
   */
  @Optional()
  @InstantField()
  updated_since?: string;
}

export class Pagination {
  /** The limit in force. */
  @ApiProperty({ type: 'integer' })
  limit!: number;
  /** The cursor that was given; null on the first page. */
  @ApiProperty({ type: String, nullable: true })
  cursor!: string | null;
  /** Give it as `cursor` to get the next page; null exactly when `has_more` is false. */
  @ApiProperty({ type: String, nullable: true })
  next_cursor!: string | null;
  /** Whether there are more items behind this page. */
  has_more!: boolean;
}

export interface Page<Item> {
  data: Item[];
  pagination: Pagination;
}

/** The schema of a page of items of this type. */
export const pageSchema = (item: Type) => ({
  type: 'object' as const,
  required: ['data', 'pagination'],
  properties: {
    data: { type: 'array' as const, maxItems: LARGEST_PAGE, items: { $ref: getSchemaPath(item) } },
    pagination: { $ref: getSchemaPath(Pagination) },
  },
});

/** Documents a paginated answer of this item type. */
export const ApiPage = (item: Type) =>
  applyDecorators(ApiExtraModels(item, Pagination), ApiOkResponse({ schema: pageSchema(item) }));
