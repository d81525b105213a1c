import { ApiProperty, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { QuoteDetailsResponse, SaleResponse, StatusEventResponse } from './sales.dto.js';

// The data of public events. Schemas are named after these classes.

const LINKS = ['company_id', 'owner_id', 'associated_contacts', 'associated_conversation_ids'] as const;
const FACE = ['name', 'expected_close_on', 'external_id', 'metadata'] as const;

export class SaleOpenedData extends PickType(SaleResponse, [
  'sale_id',
  ...LINKS,
  'custom_fields',
  'created_at',
  'last_activity_at',
  'closed_at',
  ...FACE,
] as const) {
  /** The stage it was opened in. */
  current_status!: StatusEventResponse;
}

/** What changed; fields left out stayed as they were. */
class Revised extends PartialType(PickType(SaleResponse, [...LINKS, ...FACE] as const)) {
  /** Values that replace those of the same key, the others stay; null clears all. */
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: true })
  custom_fields?: Record<string, unknown> | null;
}

/** The stage, and what else the same request changed. */
export class SaleStageChangedData extends IntersectionType(StatusEventResponse, Revised) {
  /** When the sale was closed, if this stage is the first that closes it. */
  @ApiProperty({ format: 'date-time' })
  closed_at?: string;
  /** When it entered the stage. */
  @ApiProperty({ format: 'date-time' })
  last_activity_at!: string;
}

export class SaleRevisedData extends Revised {
  /** When it changed. */
  @ApiProperty({ format: 'date-time' })
  last_activity_at!: string;
}

export class SaleQuotedData {
  quote_details!: QuoteDetailsResponse;
  /** When it was quoted. */
  @ApiProperty({ format: 'date-time' })
  last_activity_at!: string;
}

export class SaleContactedData {
  /** The conversation in which a message was recorded. */
  conversation_id!: string;
  /** When it was recorded. */
  @ApiProperty({ format: 'date-time' })
  last_activity_at!: string;
}

export class SaleDeletedData {}
