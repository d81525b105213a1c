import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsArray, IsString, Matches, MaxLength } from 'class-validator';
import { isBlank } from '#kernel/unseen.js';
import { NonEmptyText, Optional, OptionalNullable, rule } from '#http/input/fields.js';

/** Ids are shorter by far. */
const LONGEST = 1_000;

const COLOUR = '^#[0-9a-fA-F]{6}$';

const ColourField = () =>
  applyDecorators(
    rule(
      'colour',
      (value) => typeof value === 'string' && new RegExp(COLOUR).test(value),
      'must be a colour such as #1e90ff',
    ),
    ApiProperty({ pattern: COLOUR }),
  );

// eslint-disable-next-line no-control-regex -- they are what is refused
const ON_ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$/;

const TagNameField = () =>
  applyDecorators(
    NonEmptyText(),
    rule('seen', (value) => typeof value !== 'string' || !isBlank(value), 'must have something to see'),
    Matches(ON_ONE_LINE, {
      message: 'must be one line, without control characters or turns of direction',
    }),
  );

const TagIdsField = () =>
  applyDecorators(
    IsArray({ message: 'must be an array' }),
    IsString({ each: true }),
    MaxLength(LONGEST, { each: true }),
    ApiProperty({ type: 'array', items: { type: 'string', maxLength: LONGEST } }),
  );

/** A tag, as the records that have it show it. */
export class RecordTagResponse {
  /** The tag. @example "tag_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  tag_id!: string;
  /** What people call it. @example "VIP" */
  name!: string;
  /** As `#rrggbb`; null when it has none. @example "#1e90ff" */
  @ApiProperty({ type: String, nullable: true })
  colour!: string | null;
}

export class TagResponse extends RecordTagResponse {
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

export class CreateTagBody {
  /**
   * What people call it, on one line. No two tags of an organization differ by case, compatible forms and invisible characters alone.
   * @example "VIP"
   */
  @TagNameField()
  name!: string;
  /** As `#rrggbb`. @example "#1e90ff" */
  @OptionalNullable()
  @ColourField()
  colour?: string | null;
}

/** Fields left out stay as they are, null takes the colour away. */
export class UpdateTagBody {
  /** What people call it from now on, on every record that has it. @example "Key customer" */
  @Optional()
  @TagNameField()
  name?: string;
  /** As `#rrggbb`. @example "#1e90ff" */
  @OptionalNullable()
  @ColourField()
  colour?: string | null;
}

/** No tag is in both lists. */
export class ChangeTagsBody {
  /** Tags to give to the record, by their ids. @example ["tag_01hzy3v7q4e8k9m2n5p6r7s8t9"] */
  @Optional()
  @TagIdsField()
  add?: string[];
  /** Tags to take away from it, by their ids. */
  @Optional()
  @TagIdsField()
  remove?: string[];
}
