import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsInt, Max, MaxLength, Min } from 'class-validator';
import { NonEmptyText, Optional, OptionalNullable, Text } from '#http/input/fields.js';
import { PAUSED_BECAUSE } from './retries.js';

const LONGEST_OVERLAP_SECONDS = 30 * 24 * 3600;
const MOST_TYPES = 200;
const LONGEST_TYPE = 100;

const EventTypes = () =>
  applyDecorators(
    IsArray({ message: 'must be an array' }),
    ArrayMaxSize(MOST_TYPES),
    MaxLength(LONGEST_TYPE, { each: true }),
    ApiProperty({ maxItems: MOST_TYPES, items: { type: 'string', maxLength: LONGEST_TYPE } }),
  );

export class CreateWebhookBody {
  /**
   * Where events are posted: an https URL at a public address. http and other addresses only in networks that the operators
   * have allowed. @example "https://receiver.example.com/parley"
   */
  @NonEmptyText()
  url!: string;
  /**
   * Types of the events to send, as the event feed names them; all when left out or empty. With `MessageRecorded` and without
   * `ConversationOpened`, the first message of a conversation is sent as a `MessageRecorded`, too. @example ["MessageRecorded"]
   */
  @Optional()
  @EventTypes()
  types?: string[];
  /** What it is for. @example "Copies messages into the warehouse" */
  @OptionalNullable()
  @Text()
  description?: string | null;
}

export class ChangeWebhookBody {
  /** Another address; what waits for a retry is sent there at once. @example "https://receiver.example.com/parley" */
  @Optional()
  @NonEmptyText()
  url?: string;
  /** Types of the events to send from now on; all when empty. @example ["MessageRecorded"] */
  @Optional()
  @EventTypes()
  types?: string[];
  /** What it is for. */
  @OptionalNullable()
  @Text()
  description?: string | null;
  /** True: nothing is sent; events are kept for it, for 30 days. False: what was kept is sent, in order. */
  @Optional()
  @IsBoolean()
  paused?: boolean;
}

export class RotateWebhookSecretBody {
  /** Seconds for which events are signed with the old secret as well; 86,400 when left out. @example 86400 */
  @Optional()
  @IsInt()
  @Min(0)
  @Max(LONGEST_OVERLAP_SECONDS)
  @ApiProperty({ type: 'integer', default: 86_400 })
  overlap_seconds?: number;
}

export class WebhookResponse {
  /** The webhook. */
  webhook_id!: string;
  /** Where events are posted. @example "https://receiver.example.com/parley" */
  url!: string;
  /** Types of the events that are sent; all when empty. @example ["MessageRecorded"] */
  types!: string[];
  /** What it is for. */
  @ApiProperty({ type: String, nullable: true })
  description!: string | null;
  /** Whether nothing is sent for the time being. */
  paused!: boolean;
  /** Since when it is paused. */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  paused_at!: string | null;
  /** Why it is paused: an operator asked for it, the endpoint answered 410, or it has failed for three days. */
  @ApiProperty({ type: String, nullable: true, enum: [...PAUSED_BECAUSE, null] })
  paused_because!: string | null;
  /** Since when every try has failed; null when the last one did not. */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  failing_since!: string | null;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

export class NewWebhookResponse extends WebhookResponse {
  /** What its events are signed with; it is shown this once. @example "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDzHo5SOgNfdM=" */
  secret!: string;
}

export class WebhookListResponse {
  data!: WebhookResponse[];
}

export class WebhookTestResponse {
  /** The event that was sent, of type `WebhookTest`; it is in no feed. */
  event_id!: string;
  /** Whether the endpoint took it: it answered 2xx in time. */
  delivered!: boolean;
  /** Status that the endpoint answered; null when it did not. @example 200 */
  @ApiProperty({ type: 'integer', nullable: true })
  status_code!: number | null;
  /** Why it was not taken. */
  @ApiProperty({ type: String, nullable: true })
  error!: string | null;
  /** Milliseconds until the answer. @example 87 */
  @ApiProperty({ type: 'integer' })
  duration_ms!: number;
}
