import { ApiProperty } from '@nestjs/swagger';
import { ArrayMinSize, IsArray, IsBoolean, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import {
  AmountField,
  DateField,
  FreeObject,
  Nested,
  NonEmptyText,
  OneOf,
  Optional,
  OptionalNullable,
  Text,
  TextsByKeyParameter,
} from '#http/input/fields.js';
import {
  ExternalIdField,
  ExternalReferenceBody,
  ExternalReferenceResponse,
} from '#http/records/external-reference.dto.js';
import { IdsParameter } from '#http/input/ids-parameter.js';
import { UpdatedPageQuery } from '#http/paging/page.dto.js';
import { CompanyResponse, ContactResponse } from '../crm/crm.contract.js';
import { RecordTagResponse } from '../tags/tags.contract.js';
import { AgentResponse } from '../workspace/workspace.contract.js';

const CUSTOM_FIELDS = { custom_field_key: 'value' };

export class AssociatedContactResponse {
  contact_id!: string;
  /** Whether it is the main one; at most one contact of a sale is. */
  is_primary!: boolean;
}

export class StatusEventResponse {
  /** The stage's id. */
  status_id!: string;
  /** The stage's name at that moment. @example "Quoted" */
  label!: string;
  /** The stage's system tag. @example "quoted" */
  @ApiProperty({ type: String, nullable: true })
  status!: string | null;
  /** When the sale entered the stage. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  changed_at!: string | null;
}

export class QuotedProductResponse {
  /** @example 12 */
  @ApiProperty({ type: 'integer' })
  quantity!: number;
  /** Decimal text. @example "99.50" */
  unit_price!: string;
  /** @example "Support plan" */
  product_name!: string;
}

export class QuoteArgumentsResponse {
  products!: QuotedProductResponse[];
}

export class QuoteOutputResponse {
  /** ISO 4217 code. @example "USD" */
  currency!: string;
  /** Decimal text: the exact sum of the products, or what the agent has put in its place. @example "1194.00" */
  total_price!: string;
}

export class QuoteDetailsResponse {
  output!: QuoteOutputResponse;
  arguments!: QuoteArgumentsResponse;
  /** What the agent has put in place of computed values; present only when set. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  agent_overrides?: Record<string, unknown>;
}

export class SaleResponse extends ExternalReferenceResponse {
  /** @example "sale_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  sale_id!: string;
  /** Conversations in which the sale is talked about. */
  associated_conversation_ids!: string[];
  @ApiProperty({ type: String, nullable: true })
  company_id!: string | null;
  /** The agent who looks after the sale. */
  @ApiProperty({ type: String, nullable: true })
  owner_id!: string | null;
  /** Contacts of the sale, exactly one of them primary. */
  associated_contacts!: AssociatedContactResponse[];
  /** The present quote. */
  @ApiProperty({ type: QuoteDetailsResponse, nullable: true })
  quote_details!: QuoteDetailsResponse | null;
  /** Values keyed by custom field key. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: CUSTOM_FIELDS })
  custom_fields!: Record<string, unknown>;
  /** The latest of `status_history`. */
  @ApiProperty({ type: StatusEventResponse, nullable: true })
  current_status!: StatusEventResponse | null;
  /** Every stage the sale has entered, in order. */
  status_history!: StatusEventResponse[];
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
  /** When the sale last changed, its tags aside, or a message was recorded in one of its conversations. */
  @ApiProperty({ format: 'date-time' })
  last_activity_at!: string;
  /** What people call it. @example "Renewal 2027" */
  @ApiProperty({ type: String, nullable: true })
  name!: string | null;
  /** The day on which it is expected to close. @example "2026-03-31" */
  @ApiProperty({ type: String, format: 'date', nullable: true })
  expected_close_on!: string | null;
  /** When it first entered a stage with the system tag `accepted` or `lost`; null before. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  closed_at!: string | null;
  /** Its tags, by name. */
  tags!: RecordTagResponse[];
  /** When any of the attributes shown here last changed. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
  /** The company of `company_id`. Only with `expand=company`. */
  @ApiProperty({ type: () => CompanyResponse, nullable: true, required: false })
  company?: CompanyResponse | null;
  /** The agent of `owner_id`. Only with `expand=owner`. */
  @ApiProperty({ type: () => AgentResponse, nullable: true, required: false })
  owner?: AgentResponse | null;
  /** The contacts of `associated_contacts`, in their order. Only with `expand=contacts`. */
  @ApiProperty({ type: () => [ContactResponse], required: false })
  contacts?: ContactResponse[];
}

export class AssociatedContactBody {
  /** @example "contact_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  @IsString()
  contact_id!: string;
  /** Whether it is the main one; without one, the first is. */
  @Optional()
  @IsBoolean()
  @ApiProperty({ default: false })
  is_primary?: boolean;
}

class SaleFields extends ExternalReferenceBody {
  /** What people call it. @example "Renewal 2027" */
  @OptionalNullable()
  @NonEmptyText()
  name?: string | null;
  /** The day on which it is expected to close. @example "2026-03-31" */
  @OptionalNullable()
  @DateField()
  expected_close_on?: string | null;
}

/** At least one of company_id and associated_contacts is needed. */
export class CreateSaleBody extends SaleFields {
  /** The stage to begin in, from sale-statuses. @example "stage_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  @IsString()
  status_id!: string;
  @OptionalNullable()
  @IsString()
  company_id?: string | null;
  @Optional()
  @Nested(() => AssociatedContactBody, true)
  associated_contacts?: AssociatedContactBody[];
  /** The agent who looks after the sale. */
  @OptionalNullable()
  @IsString()
  owner_id?: string | null;
  /** Values keyed by custom field key, checked against the definitions; defaults are filled in. */
  @Optional()
  @FreeObject()
  custom_fields?: Record<string, unknown>;
  /** Conversations in which the sale is talked about. */
  @Optional()
  @IsArray({ message: 'must be an array' })
  @IsString({ each: true })
  conversation_ids?: string[];
}

/** Fields left out stay as they are, null clears; custom_fields are merged; lists replace the ones before. */
export class UpdateSaleBody extends SaleFields {
  /** The stage to enter; one that the sale has left before is refused. @example "stage_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  @Optional()
  @IsString()
  status_id?: string;
  @OptionalNullable()
  @IsString()
  company_id?: string | null;
  @OptionalNullable()
  @Nested(() => AssociatedContactBody, true)
  associated_contacts?: AssociatedContactBody[] | null;
  /** The agent who looks after the sale. */
  @OptionalNullable()
  @IsString()
  owner_id?: string | null;
  /** Values keyed by custom field key, checked against the definitions. */
  @OptionalNullable()
  @FreeObject()
  custom_fields?: Record<string, unknown> | null;
  /** Conversations in which the sale is talked about. */
  @OptionalNullable()
  @IsArray({ message: 'must be an array' })
  @IsString({ each: true })
  conversation_ids?: string[] | null;
}

export class QuotedProductBody {
  /** @example "Support plan" */
  @NonEmptyText()
  product_name!: string;
  /** 1 or more. @example 12 */
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be at least 1' })
  @Max(Number.MAX_SAFE_INTEGER)
  @ApiProperty({ type: 'integer' })
  quantity!: number;
  /** Decimal text of 0 or more, at most 4 decimals. @example "99.50" */
  @AmountField()
  unit_price!: string;
}

export class QuoteBody {
  /** ISO 4217 code. @example "USD" */
  @Matches(/^[A-Z]{3}$/, { message: 'must be an ISO 4217 code such as USD' })
  currency!: string;
  /** At least one. */
  @Nested(() => QuotedProductBody, true)
  @ArrayMinSize(1, { message: 'must hold at least one product' })
  products!: QuotedProductBody[];
  /** What the agent puts in place of computed values; `total_price`, decimal text, replaces the sum. */
  @OptionalNullable()
  @FreeObject()
  agent_overrides?: Record<string, unknown> | null;
}

export class ListSalesQuery extends UpdatedPageQuery {
  /** Only sales that are in this stage now. */
  @Optional()
  @Text()
  status_id?: string;
  /** Only sales of this agent. */
  @Optional()
  @Text()
  owner_id?: string;
  /** Only sales of this company. */
  @Optional()
  @Text()
  company_id?: string;
  /** Only sales that this contact is associated with. */
  @Optional()
  @Text()
  contact_id?: string;
  /** Only sales that this conversation is associated with. */
  @Optional()
  @Text()
  conversation_id?: string;
  /** Only sales with a quote of at least this total, whatever its currency. */
  @Optional()
  @AmountField()
  min_value?: string;
  /** Only sales with a quote of at most this total, whatever its currency. */
  @Optional()
  @AmountField()
  max_value?: string;
  /** Only the one with this external id of yours. */
  @Optional()
  @ExternalIdField()
  external_id?: string;
  /** Only sales that are expected to close before this day. */
  @Optional()
  @DateField()
  closing_before?: string;
  /** Only sales that are expected to close on this day or later. */
  @Optional()
  @DateField()
  closing_after?: string;
  /** Only sales with exactly these values of custom fields, each given as `custom_fields[key]=value`. */
  @Optional()
  @TextsByKeyParameter()
  custom_fields?: Record<string, string>;
  /** Only sales with this tag, or with all of them. May be given several times, or with ids separated by commas. */
  @Optional()
  @IdsParameter()
  tag_id?: string[];
  /** `-value` begins with the greatest total of a quote, whatever its currency, and ends with sales without one. */
  @Optional()
  @OneOf('-last_activity_at', '-created_at', '-value')
  @ApiProperty({ default: '-last_activity_at' })
  sort?: string;
}
