import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { ApiAnyValue, NonEmptyText, OneOf, OptionalNullable } from '#http/input/fields.js';
import { CUSTOM_FIELD_TYPES, UI_TYPES } from './custom-field.js';

export class CreateCustomFieldBody {
  /** What people see; the key is made from it. @example "Contract end" */
  @NonEmptyText()
  label!: string;
  @OneOf(...CUSTOM_FIELD_TYPES)
  type!: string;
  /** How the field is presented. */
  @OptionalNullable()
  @OneOf(...UI_TYPES)
  ui_type?: string | null;
  /** The allowed values, for type `enum` only: none blank, none twice. */
  @OptionalNullable()
  @IsArray()
  @ArrayMaxSize(1_000)
  @IsString({ each: true })
  @MaxLength(1_000, { each: true })
  options?: string[] | null;
  /** Value of new records that leave the field out. */
  @OptionalNullable()
  @ApiAnyValue()
  default?: unknown;
}

export class CustomFieldResponse {
  /** @example "contract_end" */
  key!: string;
  /** @example "Contract end" */
  label!: string;
  @ApiProperty({ enum: CUSTOM_FIELD_TYPES })
  type!: string;
  @ApiProperty({ type: String, enum: UI_TYPES, nullable: true })
  ui_type!: string | null;
  @ApiProperty({ type: [String], nullable: true })
  options!: string[] | null;
  /** Value of new records that leave the field out. */
  @ApiAnyValue()
  default!: unknown;
}

export class CustomFieldsResponse {
  sales!: CustomFieldResponse[];
  contacts!: CustomFieldResponse[];
  companies!: CustomFieldResponse[];
}
